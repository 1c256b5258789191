-- "or exists" lets the planner read both tables whole for each review, once they are small enough to hash. One look-up a candidate is never more
-- than two index reads.
create or replace function current_candidates(subject_kind text, subject bigint, candidates jsonb) returns jsonb
language sql stable security definer set search_path = tidings, pg_temp as $$
  with own as (
    select s.person_id from source_patients s where subject_kind = 'SOURCE_PATIENT' and s.id = subject
    union all
    select r.person_id from roster_patients r where subject_kind = 'ROSTER_PATIENT' and r.id = subject and r.left_at is null)
  select coalesce(jsonb_agg(c order by position), '[]')
  from own, jsonb_array_elements(candidates) with ordinality as l (c, position)
  where ((c ->> 'personId')::bigint <> own.person_id or c -> 'evidence' ->> 'ruleId' = 'R22')
    and coalesce(
      (select true from source_patients s where s.person_id = (c ->> 'personId')::bigint limit 1),
      (select true from roster_patients r where r.person_id = (c ->> 'personId')::bigint and r.left_at is null limit 1),
      false);
$$;
