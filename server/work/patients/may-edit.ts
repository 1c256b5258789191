/** Who may change what staff entered by hand (docs/decisions/0058). */
import { OLD_ENTRY_AFTER_DAYS } from '#contract/constants.ts';
import { DAY } from '#contract/durations.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';

/** A day of a manual entry at a facility. */
export interface EntryDay {
  groupId: string;
  timeZone: string;
  /** YYYY-MM-DD, at the facility. */
  day: string;
}

/** Whether the day is more than 30 days ago at the facility. */
const isOld = ({ timeZone, day }: Omit<EntryDay, 'groupId'>, now: Date): boolean =>
  day < localDateOf(now.getTime() - OLD_ENTRY_AFTER_DAYS * DAY, timeZone);

/** Whether the actor may enter or change something of this day at the facility; what is old needs a flag of its own. */
export function mayEdit(actor: Actor, entry: EntryDay, now: Date): boolean {
  const flags = actor.permissions.get(entry.groupId);
  return Boolean(
    flags?.has('canEditPatientsAndEvents') && (!isOld(entry, now) || flags.has('canEditOldManualPatientsAndEvents')),
  );
}
