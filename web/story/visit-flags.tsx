import { EVENT_LABELS, type EventCode, SETTING_LABELS } from '#contract/event-codes.ts';
import type { StoryEncounter } from '#contract/story.ts';
import { formatDate } from '../ui/format/date.ts';
import classes from './story.module.css';

/** Only a leave that the facility reported (A21) holds the bed; many report none. */
const residence = (lastEvent: EventCode | null): string =>
  lastEvent === 'MEDICAL_LEAVE_OF_ABSENCE' ? ', on leave from there' : ', no discharge from there reported';

/** Why a visit has a flag, with the stay that caused it. */
export const VisitFlags = ({ stay }: { stay: StoryEncounter }) => {
  const { potentialReadmissionTriggerInfo: trigger, recentInpatientStay: before, recentSnfStay: snf } = stay;
  return (
    <>
      {stay.dischargeContradicted && (
        <p className={classes.flag}>
          The facility sent a discharge that says the patient is still there. The stay stays open. Confirm with the
          facility.
        </p>
      )}
      {trigger && (
        <p className={classes.flag}>
          Possible readmission: discharged from {trigger.creatorGroupName} (
          {SETTING_LABELS[trigger.dischargeSetting].toLowerCase()})
          {trigger.dischargeEventDate && ` on ${formatDate(trigger.dischargeEventDate)}`}
          {trigger.triggerEncounterDiagnosis?.synonym && `, ${trigger.triggerEncounterDiagnosis.synonym}`}. An estimate
          from messages, not a CMS measure.
        </p>
      )}
      {!trigger && before && (
        <p className={classes.flag}>
          Recent inpatient stay: {before.triggerEncounterGroup}
          {before.triggerDate && `, admitted ${formatDate(before.triggerDate)}`}
          {before.triggerEncounterDiagnosis?.synonym && `, ${before.triggerEncounterDiagnosis.synonym}`}.
        </p>
      )}
      {snf && (
        <p className={classes.flag}>
          Recent SNF stay: {snf.triggerEncounterGroup}
          {snf.triggerEncounterDiagnosis?.synonym && `, ${snf.triggerEncounterDiagnosis.synonym}`}
          {snf.lastEventType &&
            snf.lastEventDate &&
            `, ${EVENT_LABELS[snf.lastEventType]} ${formatDate(snf.lastEventDate)}`}
          {snf.endValidityDate ? `, counts until ${formatDate(snf.endValidityDate)}` : residence(snf.lastEventType)}.
        </p>
      )}
    </>
  );
};
