-- A table that has doubled will be counted again soon, by autovacuum at the latest: a sample of 3,000 rows (300 times the target) instead of 30,000
-- tells apart a table of ten rows and one of a million, which is what plans depend on, in a tenth of the time.
alter function analyze_grown_tables() set default_statistics_target = 10;
