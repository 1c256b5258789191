/**
 * What one sender's messages mean where the standard leaves it to the sites. A feed's row keeps it as JSON.
 */
import { z } from 'zod';
import { SETTINGS } from '#contract/event-codes.ts';
import { isTimeZone } from './zone.ts';

const code = z.string().trim().toUpperCase().min(1).max(100);

/** All that is named must agree (without regard to case); the first rule that agrees decides. */
const classRuleSchema = z.strictObject({
  /** PV1-2 */
  patientClass: code.optional(),
  /** PV1-10 */
  hospitalService: code.optional(),
  /** PV1-18 */
  patientType: code.optional(),
  setting: z.enum(SETTINGS),
});
export type ClassRule = z.infer<typeof classRuleSchema>;

const recordNumberSchema = z.strictObject({
  /** PID-3.4: the authority whose identifier is the facility's record number, where a sender puts several in PID-3. */
  authority: z.string().trim().min(1).max(200).nullable(),
  /** PID-3.5: the types that may be the record number, best first. */
  types: z.array(code),
});

export const feedSettingsSchema = z.strictObject({
  /** IANA zone of times without an offset. */
  timeZone: z.string().refine(isTimeZone, 'is not an IANA time zone'),
  classMap: z.array(classRuleSchema),
  /** PV1-36 as the sender writes it (capitals) → UB-04 patient discharge status, two digits. */
  dispositionMap: z.record(code, z.string().regex(/^\d{2}$/)),
  /**
   * PV1-3.1 and PV1-6.1 as the sender writes them (capitals) → the unit's name, and the setting where the unit says more than PV1-2:
   * an observation unit in a hospital that sends its patients as class I.
   */
  locationMap: z.record(
    code,
    z.strictObject({ unit: z.string().trim().min(1).max(100), setting: z.enum(SETTINGS).optional() }),
  ),
  recordNumber: recordNumberSchema,
  /** MSH-11: messages with one of these are not acted on. */
  testProcessingIds: z.array(code),
});
export type FeedSettings = z.infer<typeof feedSettingsSchema>;

const observationBeds: ClassRule[] = ['O', 'I'].flatMap((patientClass) => [
  { patientClass, patientType: 'OBS', setting: 'OBSERVATION' as const },
  { patientClass, hospitalService: 'OBS', setting: 'OBSERVATION' as const },
]);

function settingOf(setting: ClassRule['setting'], ...classes: string[]): ClassRule[] {
  return classes.map((patientClass) => ({ patientClass, setting }));
}

/**
 * HL7 table 0004 and what senders write instead. There is no standard code for observation. A pre-admit (P) has no setting yet,
 * commercial (C), not applicable (N) and unknown (U) say nothing about one.
 */
export const DEFAULT_FEED_SETTINGS: FeedSettings = {
  timeZone: 'America/New_York',
  classMap: [
    ...observationBeds,
    ...settingOf('OBSERVATION', 'OBS', 'OBV', 'V', 'OBSERVATION'),
    ...settingOf('EMERGENCY', 'E', 'ER', 'ED', 'EMERGENCY'),
    ...settingOf('INPATIENT', 'I', 'IP', 'INPATIENT', 'B'),
    ...settingOf('OUTPATIENT', 'O', 'OP', 'OUTPATIENT', 'R'),
    ...settingOf('UNKNOWN', 'P', 'C', 'N', 'U'),
  ],
  dispositionMap: {
    HOME: '01',
    'HOME OR SELF CARE': '01',
    HOSPITAL: '02',
    SNF: '03',
    'SKILLED NURSING FACILITY': '03',
    ICF: '04',
    HHA: '06',
    'HOME HEALTH': '06',
    AMA: '07',
    'LEFT AMA': '07',
    EXP: '20',
    EXPIRED: '20',
    DECEASED: '20',
    DIED: '20',
    JAIL: '21',
    'HOSPICE HOME': '50',
    'HOSPICE FACILITY': '51',
    'SWING BED': '61',
    REHAB: '62',
    IRF: '62',
    LTAC: '63',
    LTACH: '63',
    LTCH: '63',
    PSYCH: '65',
    CAH: '66',
  },
  locationMap: {},
  recordNumber: { authority: null, types: ['MR', 'MRN', 'PI', 'PT'] },
  testProcessingIds: ['T', 'D'],
};
