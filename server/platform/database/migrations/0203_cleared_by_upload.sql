-- How many people lose their value in a column, by header, when a waiting upload is applied.
alter table roster_uploads add column cleared_by_column jsonb not null default '{}';
