"""All cases together: partitions and coverage."""
