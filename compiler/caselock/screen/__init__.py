"""What has no business in a repository of test cases: secrets, and data of real people."""
