/**
 * How one sender's messages are read where the standard leaves it to the sites, and what holds where a feed says nothing of its
 * own. Without zod: the browser loads it as it is; the server's schema checks it (server/intake/hl7/feed-settings.ts).
 */
import type { Setting } from './event-codes.ts';

/** All that is named must agree (without regard to case); the first rule that agrees decides. */
export interface ClassRule {
  /** PV1-2 */
  patientClass?: string | undefined;
  /** PV1-10 */
  hospitalService?: string | undefined;
  /** PV1-18 */
  patientType?: string | undefined;
  setting: Setting;
}

export interface FeedSettings {
  /** IANA zone of times without an offset. */
  timeZone: string;
  classMap: ClassRule[];
  /** PV1-36 as the sender writes it (capitals) → UB-04 patient discharge status, two digits. */
  dispositionMap: Record<string, string>;
  /**
   * PV1-3.1 and PV1-6.1 as the sender writes them (capitals) → the unit's name, and the setting where the unit says more than PV1-2:
   * an observation unit in a hospital that sends its patients as class I.
   */
  locationMap: Record<string, { unit: string; setting?: Setting | undefined }>;
  /** PID-3: the authority (PID-3.4) whose identifier is the record number, and the types (PID-3.5) that may be it, best first. */
  recordNumber: { authority: string | null; types: string[] };
  /** MSH-11: messages with one of these are not acted on. */
  testProcessingIds: string[];
}

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
