import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { familySound } from '#server/platform/text/similar-names.ts';
import type { directoryFactories } from './directory.ts';
import { type Columns, insert, next } from './insert.ts';

/** Persons, with their listings and the source patients that facilities know them as. */
export function peopleFactories(
  db: Queryable,
  now: Clock,
  { group }: Pick<ReturnType<typeof directoryFactories>, 'group'>,
) {
  const person = async () => ({ id: await insert(db, 'persons', { created_at: now() }) });

  async function rosterPatient(over: { groupId?: string; personId?: string; memberId?: string } & Columns = {}) {
    const { groupId = (await group()).id, personId = (await person()).id, memberId = `M-${next()}`, ...columns } = over;
    const names = { first_name: 'Adaeze', last_name: 'Okonkwo', sort_first: 'adaeze', sort_last: 'okonkwo' };
    const row = { ...names, date_of_birth: '1941-03-14', gender: 'Female', listed_at: now(), ...columns };
    // As a roster's: the twelve months before the listing began.
    const opens_from = new Date(new Date(String(row.listed_at)).getTime() - 365 * 86_400_000);
    const sound = { sound_last: familySound(String(row.last_name)) };
    const keys = { group_id: groupId, member_id: memberId, person_id: personId };
    return {
      groupId,
      personId,
      memberId,
      id: await insert(db, 'roster_patients', { ...keys, ...sound, opens_from, ...row }),
    };
  }

  async function sourcePatient(over: { groupId?: string; personId?: string } & Columns = {}) {
    const { groupId = (await group({ type: 'HOS' })).id, personId = (await person()).id, ...columns } = over;
    const keys = { group_id: groupId, person_id: personId, record_number: `R-${next()}`, dossier_id: next() };
    const row = { ...keys, demographics: '{}', created_at: now(), ...columns };
    return { groupId, personId, id: await insert(db, 'source_patients', row) };
  }

  return { person, rosterPatient, sourcePatient };
}
