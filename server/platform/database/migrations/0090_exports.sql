-- Exports: a job writes a file in chunks, which its user downloads within seven days.

alter table export_jobs
  add column team_id bigint references teams,
  add column kind text not null default 'ENCOUNTERS' check (kind in ('ENCOUNTERS', 'LIST')),
  add column export_type text not null default 'CSV' check (export_type in ('CSV', 'XLSX')),
  add column parameters jsonb not null default '{}',
  add column group_ids bigint[] not null default '{}',
  add column keys bigint[],
  add column attempt integer not null default 0,
  add column rows_written integer not null default 0,
  add column rows_total integer,
  add column bytes bigint not null default 0,
  add column has_part2 boolean not null default false,
  add column read_at timestamptz,
  add column failure text,
  add column expires_at timestamptz;
comment on table export_jobs is 'Exports of a user: what was asked for, how far they are, and until when their file is kept.';
comment on column export_jobs.group_ids is 'The groups that the file was made for. Whoever downloads it must still hold the permission for each of them.';
comment on column export_jobs.keys is 'The rows of a list in their order, as its filters found them when the export was started.';
comment on column export_jobs.attempt is 'How often it was started. Only chunks of the last attempt are part of the file.';
comment on column export_jobs.has_part2 is 'The file has records of 42 CFR Part 2 facilities, so it is withheld once a consent for one of its groups ends.';
comment on column export_jobs.read_at is 'When its data was read.';
create index on export_jobs (team_id);
create index on export_jobs (expires_at);
create index on export_jobs (id) where in_progress;

create table export_chunks (
  job_id bigint not null references export_jobs on delete cascade,
  attempt integer not null,
  n integer not null,
  content bytea not null,
  primary key (job_id, attempt, n)
);
comment on table export_chunks is 'The files of exports. A CSV file is stored as gzip members, one a chunk.';
-- The content is compressed already.
alter table export_chunks alter column content set storage external;

alter table export_chunks enable row level security;
create policy pipeline on export_chunks to tidings_pipeline using (true);
create policy of_finished_job on export_chunks for select to tidings_app using (exists (
  select from export_jobs j where j.id = job_id and j.attempt = export_chunks.attempt and not j.in_progress and not j.failed));

grant select, insert, update, delete on export_jobs, export_chunks to tidings_pipeline;
grant insert (user_id, name, created_at, modified_at, in_progress, team_id, kind, export_type, parameters, group_ids, keys, rows_total)
  on export_jobs to tidings_app;
grant select on export_chunks to tidings_app;
