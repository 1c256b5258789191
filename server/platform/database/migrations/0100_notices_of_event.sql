-- Who on a team was notified of a ping, by which way, and whether it got there: a part of the explanation of the ping.

create function notices_of_event(event bigint, person bigint)
  returns table (name text, channel text, topic text, state text, at timestamptz)
language sql stable security definer set search_path = tidings, pg_temp as $$
  select distinct name_of_user(n.user_id), o.channel, o.topic, o.state, coalesce(o.sent_at, o.created_at)
  from pings p
    join roster_patients r on r.id = p.roster_patient_id
    join notification_matches m on m.ping_id = p.id
    join notifications n on n.id = m.notification_id or (n.corrects = m.notification_id and m.told_state <> 'ACTIVE')
    join outbox o on o.notification_id = n.id
  where p.event_id = event and r.person_id = person and p.group_id = any (current_groups())
    and m.team_id = acting_team() and n.team_id = acting_team()
  order by 5, 1, 2 $$;
comment on function notices_of_event is 'The emails and texts to users of the acting team about the pings of an event. The caller has checked that the team may read them.';
revoke execute on function notices_of_event from public;
grant execute on function notices_of_event to tidings_app;
