/** The setting of a visit, by the codes that its sender gives it and the feed's settings. */
import type { Setting } from '#contract/event-codes.ts';
import type { FeedSettings, ObservationCodes } from '#contract/feed-settings.ts';

/** Codes as sent, in capitals: PV1-3.1, PV1-2, PV1-10 and PV1-18, and their like in FHIR. */
interface SentCodes {
  trigger: string;
  unit: string | undefined;
  patientClass: string | undefined;
  hospitalService: string | undefined;
  patientType: string | undefined;
}

/** Triggers that say what a visit is: it begins, is planned, or changes its class. */
const SAYS_CLASS = /^A(0[14567]|14)$/;

/** Returns the setting; undefined if the message doesn't say. `standard`: what a class means that no rule of the feed names. */
export function settingOf(
  sent: SentCodes,
  { classMap, observationCodes, locationMap }: FeedSettings,
  standard: (patientClass: string) => Setting,
): Setting | undefined {
  const { unit, patientClass, hospitalService, patientType } = sent;
  const ofUnit = locationMap[unit ?? '']?.setting;
  if (ofUnit) return ofUnit;
  const rule = classMap.find(
    (candidate) =>
      agrees(candidate.patientClass, patientClass) &&
      agrees(candidate.hospitalService, hospitalService) &&
      agrees(candidate.patientType, patientType),
  );
  const setting = rule?.setting ?? (patientClass === undefined ? undefined : standard(patientClass));
  return setting === 'OUTPATIENT' ? outpatientOr(observationCodes, sent) : setting;
}

/** Tells observation from other outpatients by the feed's codes. An update that leaves a field with such codes empty keeps what the visit is. */
function outpatientOr(
  { patientTypes, hospitalServices }: ObservationCodes,
  { trigger, hospitalService, patientType }: SentCodes,
): Setting | undefined {
  const fields = [
    { sent: patientType, codes: patientTypes },
    { sent: hospitalService, codes: hospitalServices },
  ].filter(({ codes }) => codes.length > 0);
  if (fields.some(({ sent, codes }) => sent && codes.includes(sent))) return 'OBSERVATION';
  return fields.some(({ sent }) => !sent) && !SAYS_CLASS.test(trigger) ? undefined : 'OUTPATIENT';
}

function agrees(wanted: string | undefined, sent: string | undefined): boolean {
  return wanted === undefined || wanted === sent;
}
