-- An event may be amended more than once, and everyone who was notified hears of each time that it says something else.
alter table notification_matches add told text;
comment on column notification_matches.told is 'A digest of what the event said when the user was last notified. Null if that was before it was kept: then the state decides.';
comment on column notification_matches.told_state is 'The state of the ping of which the user was last notified.';
