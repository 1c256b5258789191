/**
 * Which event a message reports: its MessageHeader.event, else the status and class of its Encounter (docs/domain.md; docs/decisions/0141). The
 * result is the HL7 v2 trigger with the same meaning, which the fold knows.
 */
import { codesOf } from './codes.ts';
import { list, type Node, text } from './json.ts';
import { MOST_GATHERED } from './limits.ts';

/** What a class says about how a stay begins: arrivals (A04) and admissions (A01) of the same visit are two events. */
const ARRIVES: ReadonlySet<string> = new Set(['EMER', 'AMB', 'VR', 'FLD', 'SS']);

/** HL7 v3 ActCode of someone who is expected. */
const PRE_ADMISSION = 'PRENC';

/** Returns the code of MessageHeader.event, which was a Coding in STU3 and may be a URI since. Null if there is none. */
export function eventOf(header: Node): string | null {
  const [coding] = [...codesOf(header, 'eventCoding'), ...codesOf(header, 'event')];
  const code = coding?.code ?? text(header, 'eventUri')?.split(/[/#|]/).at(-1) ?? '';
  return code.trim() || null;
}

/** Returns the trigger that a code of HL7 table 0003 is, such as 'A01' or 'ADT^A01'; null for another code. */
export const v2TriggerIn = (event: string | null): string | null =>
  /^(?:ADT[\^_])?([A-Z]\d\d)$/i.exec(event ?? '')?.[1]?.toUpperCase() ?? null;

/** Returns the trigger of a message about an Encounter. */
export function triggerOf(event: string | null, encounter: Node): string {
  const status = text(encounter, 'status') ?? '';
  const sent = v2TriggerIn(event);
  // A cancel names what it cancels, whatever the status is.
  if (sent !== null && CANCELS.has(sent)) return sent;
  if (status === 'entered-in-error') return 'A23';
  if (status === 'cancelled') return 'A11';
  if (sent !== null) return sent;
  const classes = codesOf(encounter, 'class').map(({ code }) => code.toUpperCase());
  const begins = classes.some((code) => ARRIVES.has(code)) ? 'A04' : 'A01';
  const notified = event?.toLowerCase();
  const isPlanned = status === 'planned' || classes.includes(PRE_ADMISSION);
  if (notified === 'notification-admit') return isPlanned ? 'A05' : begins;
  if (notified === 'notification-discharge') return 'A03';
  if (notified === 'notification-transfer') return 'A02';
  if (isPlanned) return 'A05';
  if (status === 'in-progress' && hasReturned(encounter)) return 'A22';
  if (BEGUN.has(status)) return begins;
  return BY_STATUS.get(status) ?? 'A08';
}

const CANCELS: ReadonlySet<string> = new Set('A11 A12 A13 A23 A25 A26 A27 A29 A38 A52 A53 A55'.split(' '));
const BEGUN: ReadonlySet<string> = new Set(['arrived', 'triaged', 'in-progress']);
/** Statuses of R4 and R5, whose on-hold was onleave, and whose completed was finished. */
const BY_STATUS: ReadonlyMap<string, string> = new Map([
  ['onleave', 'A21'],
  ['on-hold', 'A21'],
  ['finished', 'A03'],
  ['completed', 'A03'],
  ['discharged', 'A03'],
  ['discontinued', 'A03'],
]);

/** Whether the Encounter's history of statuses ends with a leave. */
function hasReturned(encounter: Node): boolean {
  const before = list(encounter, 'statusHistory', MOST_GATHERED).filter(
    (each) => text(each, 'status') !== 'in-progress',
  );
  return text(before.at(-1), 'status') === 'onleave';
}

/** Whether the Encounter has ended. Before, the end of its period is only expected. */
export const hasEnded = (trigger: string, encounter: Node): boolean =>
  trigger === 'A03' || BY_STATUS.get(text(encounter, 'status') ?? '') === 'A03';
