import { Button } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import type { HeldPatient } from '#contract/pre-admit.ts';
import { DiedBadge } from '../patient/identity-badges.tsx';
import { born } from '../patient/phrases.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { familyFirst } from '../ui/format/name.ts';
import { IconClock, IconHandStop } from '../ui/icons.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import classes from './pre-admit.module.css';

interface Props {
  held: readonly HeldPatient[];
  /** Whether the team has several facilities, so that each row names its own. */
  namesFacility: boolean;
  now: Date;
  lookUp: (held: HeldPatient) => void;
  askDelete: (held: HeldPatient) => void;
}

/** Fewer hours than this leave one more day shift at most. */
const SOON = 12;

const Left = ({ hoursLeft }: HeldPatient) => {
  const isSoon = hoursLeft <= SOON;
  const Icon = isSoon ? IconClock : IconHandStop;
  return (
    <StatusBadge color={isSoon ? 'caution' : 'held'} Icon={Icon}>
      <span className={classes.whole}>{counted(hoursLeft, 'hour', 'hours')} left</span>
    </StatusBadge>
  );
};

/** What is recorded to tell the person from others, and what is missing for that. */
const Details = ({ zip, ssn }: HeldPatient) => {
  const present = [zip && `ZIP ${zip}`, ssn && `SSN ends in ${ssn}`].filter(Boolean);
  const missing = [!zip && 'ZIP', !ssn && 'SSN'].filter(Boolean);
  return (
    <>
      {present.join(' · ')}
      {missing.length > 0 && <div className={classes.dim}>Missing: {missing.join(', ')}</div>}
    </>
  );
};

const columnsOf = ({ namesFacility, now, lookUp, askDelete }: Props): TableColumn<HeldPatient>[] => [
  [
    'Patient',
    (one) => (
      <div className={classes.who}>
        <strong>{familyFirst(one)}</strong> {one.deceased && <DiedBadge patient={one} />}
        <div className={classes.dim}>
          {born(one.dob, now)} · {one.gender}
        </div>
      </div>
    ),
  ],
  ...(namesFacility
    ? [['Facility', (one) => <div className={classes.where}>{one.groupName}</div>] as TableColumn<HeldPatient>]
    : []),
  [
    'Listed by',
    ({ owningOrgNames }) =>
      owningOrgNames.length > 0 ? (
        owningOrgNames.join(', ')
      ) : (
        <span className={classes.dim}>No organization found</span>
      ),
  ],
  ['Identifiers', (one) => <Details {...one} />],
  ['Held since', ({ createdDate }) => <span className={classes.whole}>{formatDateTime(createdDate)}</span>],
  ['Time left', (one) => <Left {...one} />],
  [
    'Actions',
    (one) => (
      <span className={classes.acts}>
        <Button size="xs" variant="default" aria-label={`Look up ${familyFirst(one)}`} onClick={() => lookUp(one)}>
          Look up
        </Button>
        <Button size="xs" variant="default" aria-label={`Delete ${familyFirst(one)}`} onClick={() => askDelete(one)}>
          Delete
        </Button>
      </span>
    ),
  ],
];

/** The held patients, the first to expire first. */
export const HeldTable = (props: Props) => (
  <div className={classes.table}>
    <CardTable label="Held patients" columns={columnsOf(props)} rows={props.held} />
  </div>
);
