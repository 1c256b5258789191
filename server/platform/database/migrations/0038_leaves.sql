-- A visit's state has its leaves of absence (server/record/fold/leaves.ts). Where leaves are events, visits folded before get them from those;
-- at hospitals they come with the patient's next message.
with turns as (
  select *, lead(moment) over moved as next_moment
  from (
    select encounter_id, code, event_at, id, lag(code) over (partition by encounter_id order by event_at, id) as code_before,
      jsonb_build_object('instant', to_char(event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'localDate', event_day::text, 'precision', event_precision) as moment
    from events where state <> 'CANCELLED' and code in ('MEDICAL_LEAVE_OF_ABSENCE', 'RESUMED_SERVICES')) as moves
  where code is distinct from code_before
  window moved as (partition by encounter_id order by event_at, id)),
away as (
  select encounter_id, jsonb_agg(jsonb_build_object('from', moment, 'to', next_moment) order by event_at, id) as leaves
  from turns where code = 'MEDICAL_LEAVE_OF_ABSENCE' group by encounter_id)
update encounters e set state = e.state || jsonb_build_object('leaves', away.leaves) from away where away.encounter_id = e.id;
