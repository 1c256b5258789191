-- A member ID written as ="000123" was kept with its sign and quotes. It is 000123 from now on: the next file would remove the person and add them again.
update roster_patients p set member_id = substr(p.member_id, 3, length(p.member_id) - 3)
where p.member_id ~ '^="[^" ]+"$' and not exists (
  select from roster_patients o where o.group_id = p.group_id and o.member_id = substr(p.member_id, 3, length(p.member_id) - 3));
-- The same in uploads that are not applied yet.
update roster_upload_rows r set member_id = substr(r.member_id, 3, length(r.member_id) - 3)
where r.member_id ~ '^="[^" ]+"$' and not exists (
  select from roster_upload_rows o where o.upload_id = r.upload_id and o.member_id = substr(r.member_id, 3, length(r.member_id) - 3));
