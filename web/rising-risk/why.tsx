import { Button } from '@mantine/core';
import type { Patient } from '#contract/patients.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { formatDate } from '../ui/format/date.ts';
import { spokenName } from '../ui/format/name.ts';
import { IconTrendingUp } from '../ui/icons.ts';
import classes from './rising-risk.module.css';
import { careOf, isNew, REASON_LABELS, visitsBehind } from './risk-words.ts';

const SHOWN = 3;

/** Why a person is on the list: the reasons, the newest visits behind them, and the way to all. */
export const Why = ({
  patient,
  now,
  explain,
}: {
  patient: Patient;
  now: Date;
  explain: (patient: Patient) => void;
}) => {
  const { risk } = patient;
  if (!risk) return <span className={classes.dim}>No longer on the list</span>;
  const visits = visitsBehind(risk);
  const more = visits.length - SHOWN;
  return (
    <div className={classes.why}>
      <div className={classes.reasons}>
        {risk.reasons.map(({ reason }) => (
          <span key={reason} className={classes.reason} data-reason={reason}>
            {reason === 'RISING' && <IconTrendingUp size={14} stroke={2} aria-hidden />}
            {REASON_LABELS[reason]}
          </span>
        ))}
        {isNew(risk, now) && <span className={classes.new}>New</span>}
      </div>
      {visits.slice(0, SHOWN).map((visit) => (
        <div key={visit.encounterId} className={classes.visit}>
          <time dateTime={visit.arrivedAt}>{formatDate(visit.arrivedAt)}</time> {careOf(visit)}, {visit.facilityName}
        </div>
      ))}
      {visits.some(({ isPart2 }) => isPart2) && <div className={classes.dim}>{PART2_NOTICE}</div>}
      <Button
        size="compact-xs"
        variant="default"
        className={classes.more}
        aria-label={`Why is ${spokenName(patient)} on the list?`}
        onClick={() => explain(patient)}
      >
        {more > 0 ? `Why? ${more} more` : 'Why?'}
      </Button>
    </div>
  );
};
