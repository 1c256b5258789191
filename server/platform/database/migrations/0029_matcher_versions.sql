-- After an upgrade with another version of the matcher, a job goes through keys, reviews and links (docs/decisions/0039).

create table matcher_runs (
  id bigint generated always as identity primary key,
  version text not null,
  step text not null check (step in ('PATIENT_KEYS', 'LISTING_KEYS', 'REVIEWS', 'LINKS', 'LONE_PATIENTS', 'LONE_LISTINGS')),
  after_likelihood double precision,
  after_id bigint not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz
);
comment on table matcher_runs is 'Each change of the matcher''s version, and how far the job that follows it has come. The newest says which version blocking_keys are of.';
comment on column matcher_runs.after_id is 'The last row of the step that is done; with after_likelihood for reviews, the likeliest of which come first.';
alter table matcher_runs enable row level security;
create policy pipeline on matcher_runs for all to tidings_pipeline using (true);
grant select, insert, update on matcher_runs to tidings_pipeline;

-- Without a row, the database has known one version only.
insert into matcher_runs (version, step, started_at, finished_at)
select 'earlier', 'PATIENT_KEYS', now(), now() where exists (select from person_links);

create table doubtful_links (
  subject text not null check (subject in ('SOURCE_PATIENT', 'ROSTER_PATIENT')),
  subject_id bigint not null,
  person_id bigint not null references persons,
  link_id bigint not null references person_links,
  version text not null,
  outcome text not null check (outcome in ('matched', 'review', 'new')),
  evidence jsonb not null,
  visits integer not null,
  pings integer not null,
  groups integer not null,
  found_at timestamptz not null,
  primary key (subject, subject_id)
);
comment on table doubtful_links is 'Links of an earlier version of the matcher that this version would not make. They stay until a person decides. visits, pings, groups: what the link gave access to. evidence holds levels and vetoes, never values.';
comment on column doubtful_links.outcome is 'What this version would do instead: link someone else, ask a person, or nothing.';
create index on doubtful_links (person_id);
create index on doubtful_links (link_id);
alter table doubtful_links enable row level security;
create policy pipeline on doubtful_links for all to tidings_pipeline using (true);
grant select, insert, update, delete on doubtful_links to tidings_pipeline;
