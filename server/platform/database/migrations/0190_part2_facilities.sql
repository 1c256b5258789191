-- A statement that asks what may be disclosed lists the 42 CFR Part 2 facilities once: a few of thousands.
create index groups_part2 on groups (id) where is_part2_facility;
