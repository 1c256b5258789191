-- Matches to review are listed most likely first, open pages learn of new ones, and decisions are kept as labeled pairs.

alter table match_reviews add column likelihood double precision not null default 0;
comment on column match_reviews.likelihood is 'How likely it is that the first candidate is the person, in bits; 0 if something speaks against it.';
update match_reviews set likelihood = -ln((candidates #>> '{0,evidence,probability}')::double precision) / ln(2)
where decided_at is null and (candidates #>> '{0,evidence,probability}')::double precision > 0
  and candidates #> '{0,evidence,vetoes}' = '[]';
drop index match_reviews_group_id_id_idx;
create index on match_reviews (group_id, created_at) where decided_at is null;

alter table change_log drop constraint change_log_kind_check;
alter table change_log add constraint change_log_kind_check
  check (kind in ('ping', 'group', 'roster', 'review', 'session', 'person'));

create table labeled_pairs (
  id bigint generated always as identity primary key,
  review_id bigint not null references match_reviews,
  link_id bigint not null references person_links,
  person_id bigint not null references persons,
  outcome text not null check (outcome in ('SAME', 'DIFFERENT')),
  evidence jsonb not null,
  decided_at timestamptz not null,
  decided_by bigint not null references users,
  undone_at timestamptz,
  undone_by bigint references users
);
comment on table labeled_pairs is 'What people decided about compared pairs, for the evaluation of the matcher. evidence holds levels and vetoes, never values. A row is never overwritten; an undone decision is marked.';
create index on labeled_pairs (link_id);
create index on labeled_pairs (person_id);
create index on labeled_pairs (review_id);
alter table labeled_pairs enable row level security;
create policy pipeline on labeled_pairs for all to tidings_pipeline using (true);
grant select, insert, update on labeled_pairs to tidings_pipeline;
