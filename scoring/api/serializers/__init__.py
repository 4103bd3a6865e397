"""What requests may say and what answers look like: shapes only, no rules."""
