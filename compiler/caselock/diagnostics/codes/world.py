"""Codes CL04xx: records, fixtures and tool contracts."""

from caselock.diagnostics.code import error

WORLD = (
    error(
        "CL0401",
        "value does not fit its schema",
        why="A record, slot or argument that its own schema refuses cannot occur, so nothing may be derived from it.",
        bad="A1024: {status: payed, total: 80.001}",
        good="A1024: {status: paid, total: 80.00}",
    ),
    error(
        "CL0402",
        "dangling reference between records",
        why="A broken join would make facts silently missing, and rules silently not fire.",
        bad="A1024: {customer_id: C999}   # no such customer",
        good="A1024: {customer_id: C009}",
    ),
    error(
        "CL0403",
        "broken world constraint",
        why="A world that cannot be must not decide a case.",
        bad="A3072: {status: closed, refundable_amount: 60.00}",
        good="A3072: {status: closed, refundable_amount: 0.00}",
    ),
    error(
        "CL0404",
        "unknown collection in a fixture",
        why="Records of a collection that is not defined have no schema, so nothing checks them.",
        bad="world: {order: {A1024: {}}}",
        good="world: {orders: {A1024: {}}}",
    ),
    error(
        "CL0405",
        "record disagrees with its key",
        why="A record is found by its key; another id inside it makes two records of one.",
        bad="A1024: {order_id: A2048}",
        good="A1024: {status: paid}   # the key is the id",
    ),
    error(
        "CL0406",
        "tool sets a field that is not there, or leaves out a required one",
        why="A tool model that writes other records than the real tool derives wrong states.",
        bad="changes:\n  - {insert: refunds, as: refund, set: {amout: =args.amount}}",
        good="changes:\n  - {insert: refunds, as: refund, set: {amount: =args.amount}}",
    ),
    error(
        "CL0408",
        "clock cannot be read",
        why="Ages and deadlines are decided by the fixture's clock; it must be an exact instant.",
        bad='clock: "2026-08-01"',
        good='clock: "2026-08-01T09:00:00Z"',
    ),
    error(
        "CL0409",
        "effect class contradicts the changes",
        why="Agents may repeat reads freely; a tool that writes must say so.",
        bad="effect: read\nchanges: [{insert: refunds}]",
        good="effect: irreversible\nchanges: [{insert: refunds}]",
    ),
    error(
        "CL0410",
        "idempotency key is not an argument",
        why="The caller mints the key and sends it; a contract that names another field never recognises a retry.",
        bad="idempotency_key: request_id   # not in input",
        good="idempotency_key: idempotency_key",
    ),
    error(
        "CL0411",
        "name hides another",
        why="A let that is called like a collection or an actor changes what the other expressions read.",
        bad='let: {orders: "orders.filter(o, true)"}',
        good='let: {mine: "orders.filter(o, true)"}',
    ),
    error(
        "CL0412",
        "collection has no prefix for generated ids",
        why="A record that a tool creates needs an id that no agent can guess.",
        bad="refunds: {key: refund_id}",
        good="refunds: {key: refund_id, id: R-}",
    ),
    error(
        "CL0413",
        "file of records cannot be used",
        why="A fixture without some of its records is another world; every label derived in it would be wrong.",
        bad="orders: {path: data/ordres.json, sha256: 9f86d0...}   # no such file",
        good="orders: {path: data/orders.json, sha256: 9f86d0...}",
    ),
    error(
        "CL0414",
        "file of records has another digest",
        why="The digest says which records the labels were derived from; a change of the file must be meant.",
        bad="orders: {path: data/orders.json, sha256: 000000...}",
        good="orders: {path: data/orders.json, sha256: 9f86d0...}",
    ),
    error(
        "CL0415",
        "file holds no records",
        why="Records are found by their key, so that a file of them is a mapping from keys to fields.",
        bad='[{"order_id": "A1024", "status": "paid"}]',
        good='{"A1024": {"status": "paid"}}',
    ),
)
