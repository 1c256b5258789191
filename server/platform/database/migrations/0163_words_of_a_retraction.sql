-- What the history says where the system opened a ping again because its event was retracted.
update management_statuses set other_text = 'The sender retracted the event.'
where user_id is null and other_text = 'The event is not true any more.';
