/** The messages behind a ping, as a reader sees them. Pure. */
import { admitSourceLabel, dispositionLabel } from '#contract/dispositions.ts';
import { type EventCode, SETTING_LABELS } from '#contract/event-codes.ts';
import type { ExplainedMessage } from '#contract/explanations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { updated } from '#server/record/fold/outcomes.ts';
import { LINK } from '#server/record/fold/visit-triggers.ts';
import type { MessageRow, Said } from './queries.ts';

/** The trigger of the entry that the job for hanging ED visits makes. */
const BY_SYSTEM = 'CLOSE';

/**
 * Returns the messages that an event follows from, those that changed it later, and those that took it back, oldest first. `readable`: whose
 * text the reader may read.
 */
export function explainMessages(
  rows: readonly MessageRow[],
  code: EventCode,
  readable: ReadonlySet<string>,
): ExplainedMessage[] {
  const named = rows.filter(({ isNamed }) => isNamed);
  const first = named[0];
  const changes = ({ outcome }: MessageRow) => outcome?.split('; ').includes(updated(code)) ?? false;
  return rows
    .filter((row) => row.isNamed || changes(row) || cancels(row, named))
    .map((row) => ({
      id: readable.has(row.messageId) ? row.messageId : null,
      role: row === first ? 'REPORTED' : row.isNamed || changes(row) ? 'CHANGED' : 'CANCELED',
      source: sourceOf(row),
      trigger: sourceOf(row) === 'FEED' ? row.trigger : null,
      controlId: row.controlId,
      sentDate: row.sentAt,
      receivedDate: row.receivedAt,
      hash: row.contentHash,
      outcome: row.outcome || null,
      enteredBy: row.enteredBy,
      text: readable.has(row.messageId) ? 'READABLE' : row.isStored ? 'NOT_PERMITTED' : 'NO_LONGER_STORED',
      facts: row.said === null ? [] : factsIn(row.said),
    }));
}

const sourceOf = ({ isEntered, trigger }: MessageRow): ExplainedMessage['source'] =>
  isEntered ? 'STAFF' : trigger === BY_SYSTEM ? 'SYSTEM' : trigger === LINK ? 'LINK' : 'FEED';

/** Whether a message canceled one that the event follows from. The fold says so in the outcomes of both (`record/fold/outcomes.ts`). */
function cancels({ trigger, outcome }: MessageRow, named: readonly MessageRow[]): boolean {
  if (trigger === null || !outcome?.startsWith('Cancels ')) return false;
  const canceled = new Set(outcome.slice('Cancels '.length).split(', '));
  return named.some((row) => row.outcome === `Canceled by ${trigger}` && canceled.has(row.trigger ?? ''));
}

type Fact = ExplainedMessage['facts'][number];

/** Returns what a message said about a visit, in the order in which a reader asks: when, where, who, why, how it ended. */
function factsIn(said: Said): Fact[] {
  const { location, attending, diagnoses = [] } = said;
  const place = [
    location?.pointOfCare,
    location?.room && `room ${location.room}`,
    location?.bed && `bed ${location.bed}`,
  ];
  return [
    time('Admitted', said.admittedAt),
    time('Discharged', said.dischargedAt),
    time('Expected discharge', said.expectedDischargeAt),
    text('Setting', said.setting && said.setting !== 'UNKNOWN' ? SETTING_LABELS[said.setting] : null),
    text('Location', place.filter(Boolean).join(', ')),
    text('Attending', attending && [attending.given, attending.family].filter(Boolean).join(' ')),
    text('Admitted from', admitSourceLabel(said.admitSource ?? null)),
    text('Admit reason', said.admitReason),
    text(
      'Diagnoses',
      diagnoses.map(({ code, description }) => [description, code].filter(Boolean).join(' ')).join('; '),
    ),
    text('Discharged to', said.disposition && (dispositionLabel(said.disposition) ?? said.disposition)),
    text('Destination', said.dischargedTo),
  ].filter((fact) => fact !== null);
}

const text = (label: string, value: string | null | undefined): Fact | null =>
  value ? { label, text: value, date: null } : null;

const time = (label: string, moment: Moment | null | undefined): Fact | null =>
  moment ? { label, text: null, date: moment.precision === 'day' ? moment.localDate : moment.instant } : null;
