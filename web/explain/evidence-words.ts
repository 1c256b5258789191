/** The evidence about a discharge in words. Pure; `at` writes an instant with its zone, `day` a day. */
import { CHANNEL_LABELS, OUTCOME_LABELS } from '#contract/contact-words.ts';
import type { DischargeClock, DischargeEvidence } from '#contract/evidence.ts';
import { NO_CLOCK_LABELS } from '#contract/follow-up-words.ts';
import { MANAGEMENT_STATUS_LABELS, RESOLUTION_LABELS } from '#contract/management-status.ts';

type At = (value: string) => string;

/** Returns the outcome of a clock: "Met 11/23/2026 10:02 AM ET". */
export function clockOutcome({ rule, outcome, date, because }: DischargeClock, at: At): string {
  const when = date ? ` ${at(date)}` : '';
  switch (outcome) {
    case 'MET':
      return rule === 'TCM_VISIT' ? `Visit logged${when}` : `Met${when}`;
    case 'ATTEMPTED':
      return 'Two separate attempts in time that reached no one';
    case 'LATE':
      return `Late,${when}`;
    case 'MISSED':
      return rule === 'TCM_CONTACT' ? 'No contact logged' : 'No visit logged';
    case 'RUNNING':
      return 'Not due yet';
    case 'ENDED':
      return `Ended${when}: ${because === 'DIED' ? 'the patient died' : 'the patient was in a facility'}`;
    case 'NOT_STARTED':
      return because ? NO_CLOCK_LABELS[because] : 'Not started';
  }
}

/** Returns when a message was first received, and each later one that said otherwise where the patient went. */
export function receiptsOf({ messages, receivedDate }: DischargeEvidence): { what: string; date: string }[] {
  const said = messages.flatMap((message) => {
    const where = message.facts.find(
      ({ label, text }) => text && (label === 'Destination' || label === 'Discharged to'),
    );
    return where?.text ? [{ where: where.text, date: message.receivedDate }] : [];
  });
  const [first, ...later] = said.filter(({ where }, n) => where !== said[n - 1]?.where);
  const isFirst = first?.date === receivedDate;
  return [
    { what: isFirst ? `Message received: discharged to ${first.where}` : 'Message received', date: receivedDate },
    ...[...(first && !isFirst ? [first] : []), ...later].map(({ where, date }) => ({
      what: `Message received: now discharged to ${where}`,
      date,
    })),
  ];
}

interface Act {
  date: string;
  who: string;
  what: string;
}

/** Returns who did what when, oldest first: status changes with their reasons, and attempts to reach the patient. */
export function actsOf({ statuses, attempts }: DischargeEvidence, at: At): Act[] {
  const changes = statuses.map(({ date, status, resolutions, otherText, displayName, username }) => ({
    date,
    who: displayName ?? username,
    what: [
      `Status: ${MANAGEMENT_STATUS_LABELS[status]}`,
      resolutions.map((code) => RESOLUTION_LABELS[code]).join(', '),
      otherText,
    ]
      .filter(Boolean)
      .join('. '),
  }));
  const calls = attempts.map(({ attemptedAt, recordedDate, removedDate, channel, outcome, note, by }) => ({
    date: attemptedAt,
    who: by,
    what: [
      `${CHANNEL_LABELS[channel]}: ${OUTCOME_LABELS[outcome]}`,
      note,
      `Recorded ${at(recordedDate)}`,
      removedDate && `Removed ${at(removedDate)}: doesn't count`,
    ]
      .filter(Boolean)
      .join('. '),
  }));
  return [...changes, ...calls].sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
}
