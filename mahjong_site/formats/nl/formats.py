"""Short Dutch dates with the month in letters, as the long ones: 12 nov 2026 beside 12 november 2026."""

SHORT_DATE_FORMAT = "j N Y"
SHORT_DATETIME_FORMAT = "j N Y H:i"
