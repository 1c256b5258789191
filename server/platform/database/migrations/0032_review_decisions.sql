-- Reviews about people who are no longer listed leave the list, and open pages learn of new evidence.

create function current_candidates(subject_kind text, subject bigint, candidates jsonb) returns jsonb
language sql stable security definer set search_path = tidings, pg_temp as $$
  with own as (
    select s.person_id from source_patients s where subject_kind = 'SOURCE_PATIENT' and s.id = subject
    union all
    select r.person_id from roster_patients r where subject_kind = 'ROSTER_PATIENT' and r.id = subject and r.left_at is null)
  select coalesce(jsonb_agg(c order by position), '[]')
  from own, jsonb_array_elements(candidates) with ordinality as l (c, position)
  where ((c ->> 'personId')::bigint <> own.person_id or c -> 'evidence' ->> 'ruleId' = 'R22')
    and (exists (select from source_patients s where s.person_id = (c ->> 'personId')::bigint)
      or exists (select from roster_patients r where r.person_id = (c ->> 'personId')::bigint and r.left_at is null));
$$;
comment on function current_candidates is 'The candidates whom a facility knows or a roster lists now, and who are not the subject''s person already, unless the record number itself is in question (R22). None if the subject is a roster row that ended. Runs as its owner, so that reviewers count the same reviews as they see.';
revoke execute on function current_candidates from public;
grant execute on function current_candidates to tidings_app, tidings_pipeline;

alter table match_reviews add column digest text not null
  generated always as (md5(salt::text || candidates::text)) stored;
comment on column match_reviews.digest is 'Changes with the evidence. Salted, so that it reveals no evidence.';
