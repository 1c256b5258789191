-- What a listing opens: attested by someone, from a date on, and recorded. A program's first roster waits for an operator.

alter table groups add column roster_approved_at timestamptz, add column roster_approved_by bigint references users (id);
comment on column groups.roster_approved_at is 'When an operator approved the program''s first roster. Until then no roster of it is applied.';
-- Programs whose roster was applied before there were approvals keep working; no operator is named for them.
update groups g set roster_approved_at = coalesce(
    (select min(u.applied_at) from roster_uploads u where u.group_id = g.id), g.created_at)
where g.type = 'PROGRAM' and (exists (select from roster_uploads u where u.group_id = g.id and u.applied_at is not null)
  or exists (select from roster_patients r where r.group_id = g.id));

alter table roster_uploads
  add column relationship text check (relationship in ('TREATMENT', 'COVERAGE', 'CARE_COORDINATION')),
  add column waits_for text check (waits_for in ('OPERATOR', 'CONFIRMATION'));
comment on column roster_uploads.relationship is 'The relationship with the people in the file that the uploader attested. Null: uploaded before it was asked for.';
comment on column roster_uploads.waits_for is 'Who has to act while the status is AWAITING_CONFIRMATION: an operator, or the uploader''s team.';
update roster_uploads set waits_for = 'CONFIRMATION' where status = 'AWAITING_CONFIRMATION';

alter table roster_patients add column opens_from timestamptz,
  add column relationship text check (relationship in ('TREATMENT', 'COVERAGE', 'CARE_COORDINATION')),
  add column upload_id bigint references roster_uploads (id), add column attested_by bigint references users (id);
comment on column roster_patients.opens_from is 'The listing opens visits that are open or ended at this time or later, and none before.';
comment on column roster_patients.relationship is 'As attested for the upload or the manual entry that wrote the row. Null: reported by a feed, or listed before it was asked for.';
comment on column roster_patients.upload_id is 'The roster upload that wrote the row last; null for a facility''s own listing.';
comment on column roster_patients.attested_by is 'Who uploaded or entered the row. They do not decide reviews about it.';
-- Facilities without a feed entered their patients by hand: from the first event on. All others: twelve months before the listing.
alter table roster_patients disable trigger logs_update;
update roster_patients r set opens_from = case
    when r.content_hash is null and s.id is not null
      and not exists (select from facts f where f.source_patient_id = s.id and f.adt ->> 'trigger' not in ('MANUAL', 'CLOSE'))
      then coalesce((select min(greatest(v.event_at, v.received_at - interval '3 days'))
        from encounters e join events v on v.encounter_id = e.id
        where e.source_patient_id = s.id and v.state <> 'CANCELLED'), r.listed_at)
    else r.listed_at - interval '12 months' end
from roster_patients o left join source_patients s on s.group_id = o.group_id and s.record_number = o.member_id
where o.id = r.id;
alter table roster_patients enable trigger logs_update;
alter table roster_patients alter column opens_from set not null;

-- What was tried for the people whom a group lists: hashes, so that repeated guesses of numbers are noticed.
create table identity_attempts (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups (id),
  key bytea not null,
  details bytea not null,
  at timestamptz not null
);
comment on table identity_attempts is 'Changes of a person''s identifying details by roster rows and manual entries. key: hash of what stayed the same (member id, name and birth date, numbers). details: hash of SSN digits, Medicare id, birth date, ZIP code and phones. Kept 30 days.';
create index on identity_attempts (group_id, key, at);
create index on identity_attempts (at);
alter table identity_attempts enable row level security;
create policy of_group on identity_attempts to tidings_app using (group_id = any ((select current_groups())::bigint[]));
create policy pipeline on identity_attempts to tidings_pipeline using (true);
grant select, insert on identity_attempts to tidings_app;
grant select, insert, delete on identity_attempts to tidings_pipeline;

-- When visits at another organization became readable for a group, why, and through whom.
create table record_openings (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  person_id bigint not null references persons (id),
  group_id bigint not null references groups (id),
  roster_patient_id bigint not null references roster_patients (id),
  how text not null check (how in ('ROSTER', 'MANUAL', 'FEED', 'REVIEW')),
  user_id bigint references users (id),
  upload_id bigint references roster_uploads (id),
  opens_from timestamptz not null,
  foreign_visits int not null
);
comment on table record_openings is 'Written when a listing or a decided review makes visits of another organization readable. user_id: who uploaded, entered or decided; null for a feed.';
create index on record_openings (person_id, group_id);
create index on record_openings (roster_patient_id);
create index on record_openings (upload_id) where upload_id is not null;
alter table record_openings enable row level security;
create policy of_group on record_openings to tidings_app using (group_id = any ((select current_groups())::bigint[]));
create policy pipeline on record_openings to tidings_pipeline using (true);
grant select on record_openings to tidings_app;
grant select, insert on record_openings to tidings_pipeline;

-- Candidates of a review are named by a hash with this salt, which no one is sent: the ids of persons stay inside.
alter table match_reviews add column salt uuid not null default gen_random_uuid();
