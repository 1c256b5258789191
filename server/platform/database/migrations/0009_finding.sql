-- Who may be taken for whom: families that sound alike are found by index. When a saved filter was last used.

alter table roster_patients add column sound_last text collate "C" not null default '';
comment on column roster_patients.sound_last is 'How the family name sounds (server/matching/similar-names.ts); empty: nobody is warned of namesakes.';
-- The soundex of those who are listed already, as similar-names.ts has it: digits for sounds, equal neighbours once (also across h and w),
-- the first letter in place of its digit, vowels out.
update roster_patients set sound_last = case
    when plain = '' then upper(regexp_replace(sort_last, '[^[:alpha:]]', '', 'g'))
    else rpad(left(upper(left(plain, 1)) || replace(substr(regexp_replace(
      translate(left(plain, 1), 'abcdefghijklmnopqrstuvwxyz', '01230120022455012623010202')
        || translate(substr(plain, 2), 'abcdefgijklmnopqrstuvxyzhw', '012301202245501262301202'),
      '(.)\1+', '\1', 'g'), 2), '0', ''), 4), 4, '0')
  end
from (select id, regexp_replace(sort_last, '[^a-z]', '', 'g') as plain from roster_patients) letters
where letters.id = roster_patients.id;
drop index roster_patients_names;
create index roster_patients_sounds on roster_patients (group_id, sound_last) where left_at is null;

alter table saved_filters add column last_used_at timestamptz;
comment on column saved_filters.last_used_at is 'When a list was last opened with it.';
