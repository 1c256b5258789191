import { Badge, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FOLLOW_UP_RULE_LABELS, followUpState, NO_CLOCK_LABELS } from '#contract/follow-up-words.ts';
import type { DischargeFollowUp, FollowUpClock } from '#contract/follow-ups.ts';
import type { Patient } from '#contract/patients.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { whereTo } from '../patient/phrases.ts';
import { eventTime, formatDate, formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconClock } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { ContactNote } from './contact-note.tsx';
import classes from './follow-ups.module.css';
import { followUpsQuery } from './follow-ups-query.ts';

const STATES: Record<FollowUpClock['state'], { color: string; Icon: typeof IconClock }> = {
  MET: { color: 'positive', Icon: IconCircleCheck },
  MET_LATE: { color: 'caution', Icon: IconCircleCheck },
  DUE: { color: 'gray', Icon: IconClock },
  DUE_TODAY: { color: 'caution', Icon: IconClock },
  OVERDUE: { color: 'critical', Icon: IconAlertTriangle },
  MISSED: { color: 'caution', Icon: IconAlertTriangle },
  ENDED: { color: 'gray', Icon: IconCircleDashed },
  ENOUGH_ATTEMPTS: { color: 'caution', Icon: IconClock },
  NOT_RECORDED: { color: 'gray', Icon: IconCircleDashed },
};

const dueWords = ({ dueOn, soonOn }: FollowUpClock): string =>
  soonOn
    ? `By ${formatDate(soonOn)} (7 days), at the latest ${formatDate(dueOn)} (14 days)`
    : `By ${formatDate(dueOn)}`;

const Clock = ({ clock }: { clock: FollowUpClock }) => {
  const { color, Icon } = STATES[clock.state];
  return (
    <li>
      <div className={classes.line}>
        <strong>{FOLLOW_UP_RULE_LABELS[clock.rule]}</strong>
        <Badge color={color} component="span" leftSection={<Icon size={12} stroke={1.75} aria-hidden />}>
          {followUpState(clock.rule, clock.state)}
        </Badge>
      </div>
      <span className={classes.dim}>
        {[
          dueWords(clock),
          clock.metAt && `done ${formatDateTime(clock.metAt)}`,
          clock.attempts > 0 && `${clock.attempts} without reaching anyone`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
};

const Clocks = ({ label, clocks }: { label: string; clocks: readonly FollowUpClock[] }) =>
  clocks.length > 0 && (
    <ul className={classes.clocks} aria-label={label}>
      {clocks.map((clock) => (
        <Clock key={clock.rule} clock={clock} />
      ))}
    </ul>
  );

interface DischargeProps {
  one: DischargeFollowUp;
  patientId: string;
  hasDied: boolean;
  now: Date;
}

const Discharge = ({ one, patientId, hasDied, now }: DischargeProps) => (
  <li className={classes.discharge}>
    <div>
      Discharged {eventTime(one.dischargedAt, one.timeZone, now)} · {one.facilityName}
      {one.dischargedTo && ` · ${whereTo(one.dischargedTo)}`}
    </div>
    {one.dischargedTo === null && one.noClock === null && (
      <Text c="dimmed" size="sm">
        The facility did not say where to. Confirm that the patient went home.
      </Text>
    )}
    {one.noClock && (
      <Text c="dimmed" size="sm">
        {NO_CLOCK_LABELS[one.noClock]}
      </Text>
    )}
    <ContactNote
      patientId={patientId}
      contactedStatus={one.contactedStatus}
      isMissed={one.contactMissed}
      isOwed={one.isOwed}
      hasDied={hasDied}
      at={formatDateTime}
    />
    <Clocks label="Transitional care management" clocks={one.clocks} />
    {one.windows.length > 0 && (
      <details>
        <summary>HEDIS TRC windows</summary>
        <Clocks label="HEDIS TRC windows" clocks={one.windows} />
        <Text c="dimmed" size="xs">
          From ADT messages, documents and logged contacts. The medical record decides whether the measure is met.
        </Text>
      </details>
    )}
  </li>
);

const rosterPart = (patientId: string): string => patientId.slice(0, patientId.indexOf('_'));

type Died = Pick<Patient, 'deceased' | 'isDeathInDoubt'>;

/** Clocks stay stopped until someone has asked: a call to the family of someone who died does harm. */
const nothingDue = ({ deceased, isDeathInDoubt }: Died): string => {
  if (!deceased) return 'No discharges in the last 60 days.';
  return isDeathInDoubt
    ? 'Nothing is due while the patient is reported as died. Check with the facility.'
    : 'Nothing is due. The patient has died.';
};

/** What is due after each discharge of the last sixty days, and what was done. */
export const FollowUps = ({ patientId, patient }: { patientId: string; patient: Died }) => {
  const now = useNow();
  const client = useQueryClient();
  const { queryKey } = followUpsQuery(patientId);
  const { data, error, refetch } = useQuery(followUpsQuery(patientId));
  useLiveEvents(({ kind, data: event }) => {
    // Also about another stay of the patient: it may have the discharge, or end the time for it.
    if (kind === 'reload' || (kind === 'ping' && rosterPart(event.patientId) === rosterPart(patientId)))
      void client.invalidateQueries({ queryKey });
  });
  if (!data)
    return error ? (
      <Failed what="Couldn't load what is due." error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton h={20} w="60%" />
    );
  if (data.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {nothingDue(patient)}
      </Text>
    );
  return (
    <ol className={classes.discharges}>
      {data.map((one) => (
        <Discharge key={one.eventIdentifier} one={one} patientId={patientId} hasDied={patient.deceased} now={now} />
      ))}
    </ol>
  );
};
