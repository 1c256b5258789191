import { FEED_FACILITIES_REQUIRED, FEED_TEXTS } from '#contract/admin-fields.ts';
import type { Setting } from '#contract/event-codes.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { ClassRule, DateOrder, FeedSettings, ObservationCodes } from '#contract/feed-settings.ts';
import type { OutpatientCode } from '#contract/feeds.ts';
import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import type { FieldErrors } from '../forms/use-form.ts';

export type FeedSettingsAnswer = RouteAnswer<'GET /api/admin/feeds/:id/settings'>;
type FeedSettingsBody = RouteInput<'PUT /api/admin/feeds/:id/settings'>['body'];

export interface DispositionRow {
  code: string;
  status: string;
}
export interface LocationRow {
  code: string;
  unit: string;
  setting: Setting | '';
}
/** A code that means observation in messages about outpatients. */
export type ObservationRow = Pick<OutpatientCode, 'field' | 'code'>;

/** What the form edits. A table that is null is the standard one; any other replaces it completely. */
export interface SettingsValues {
  name: string;
  /** MSH-3 and MSH-4; empty to match any. */
  sendingApplication: string;
  sendingFacility: string;
  timeZone: string;
  /** Empty if not set. */
  dateOrder: DateOrder | '';
  classMap: ClassRule[] | null;
  observation: ObservationRow[];
  dispositions: DispositionRow[] | null;
  locations: LocationRow[];
  facilities: FeedSettingsAnswer['facilities'];
  isBackfill: boolean;
  /** Settings that the form does not show, saved unchanged. */
  others: Pick<Partial<FeedSettings>, 'recordNumber' | 'testProcessingIds'>;
  /** The version that was loaded. */
  version: string;
}

export const dispositionRows = (map: Record<string, string>): DispositionRow[] =>
  Object.entries(map).map(([code, status]) => ({ code, status }));

const observationRows = ({ patientTypes, hospitalServices }: ObservationCodes): ObservationRow[] => [
  ...patientTypes.map((code) => ({ field: 'PV1-18' as const, code })),
  ...hospitalServices.map((code) => ({ field: 'PV1-10' as const, code })),
];

const observationCodes = (rows: readonly ObservationRow[]): ObservationCodes => {
  const of = (field: ObservationRow['field']) =>
    rows.filter((row) => row.field === field).map(({ code }) => codeOf(code));
  return { patientTypes: of('PV1-18'), hospitalServices: of('PV1-10') };
};

/** Returns the values of a new feed. `sender`: the unknown sender it is set up for, if any. */
export const newValues = (
  sender: { sendingApplication: string; sendingFacility: string } | null,
  facilities: readonly { id: string; timeZone: string }[],
): SettingsValues => {
  const only = facilities.length === 1 ? facilities[0] : undefined;
  const row = { identifier: sender?.sendingFacility ?? '', groupId: only?.id ?? '', registrationIsVisit: false };
  return valuesOf({
    name: '',
    sendingApplication: sender?.sendingApplication ?? null,
    sendingFacility: sender?.sendingFacility ?? null,
    settings: only ? { timeZone: only.timeZone } : {},
    facilities: [row],
    isBackfill: false,
    version: '',
  });
};

/** Returns the form's values from the stored feed, which has only what differs from the defaults. */
export const valuesOf = ({
  settings,
  facilities,
  isBackfill,
  version,
  ...feed
}: Omit<FeedSettingsAnswer, 'isWaiting'>): SettingsValues => {
  const { timeZone, dateOrder, classMap, observationCodes, dispositionMap, locationMap, ...others } =
    settings as Partial<FeedSettings>;
  return {
    name: feed.name,
    sendingApplication: feed.sendingApplication ?? '',
    sendingFacility: feed.sendingFacility ?? '',
    timeZone: timeZone ?? DEFAULT_FEED_SETTINGS.timeZone,
    dateOrder: dateOrder ?? '',
    classMap: classMap ?? null,
    observation: observationCodes ? observationRows(observationCodes) : [],
    dispositions: dispositionMap ? dispositionRows(dispositionMap) : null,
    locations: Object.entries(locationMap ?? {}).map(([code, { unit, setting }]) => ({
      code,
      unit,
      setting: setting ?? '',
    })),
    facilities,
    isBackfill,
    others,
    version,
  };
};

/** A code as senders write it, trimmed and in capitals. */
export const codeOf = (text: string): string => text.trim().toUpperCase();
const named = (text: string | undefined): string | undefined => (text ? codeOf(text) || undefined : undefined);

/** Returns what to store: without what equals the defaults, and with codes in capitals. */
export const bodyOf = (values: SettingsValues): FeedSettingsBody & { version: string } => ({
  name: values.name,
  sendingApplication: values.sendingApplication.trim() || null,
  sendingFacility: values.sendingFacility.trim() || null,
  settings: {
    ...values.others,
    ...(values.timeZone === DEFAULT_FEED_SETTINGS.timeZone ? {} : { timeZone: values.timeZone }),
    ...(values.dateOrder && { dateOrder: values.dateOrder }),
    ...(values.classMap && {
      classMap: values.classMap.map(({ patientClass, hospitalService, patientType, setting }) => ({
        patientClass: named(patientClass),
        hospitalService: named(hospitalService),
        patientType: named(patientType),
        setting,
      })),
    }),
    ...(values.observation.length > 0 && { observationCodes: observationCodes(values.observation) }),
    ...(values.dispositions && {
      dispositionMap: Object.fromEntries(values.dispositions.map((row) => [codeOf(row.code), row.status.trim()])),
    }),
    ...(values.locations.length > 0 && {
      locationMap: Object.fromEntries(
        values.locations.map((row) => [
          codeOf(row.code),
          { unit: row.unit.trim(), ...(row.setting && { setting: row.setting }) },
        ]),
      ),
    }),
  },
  facilities: values.facilities.map((facility) => ({ ...facility, identifier: facility.identifier.trim() })),
  isBackfill: values.isBackfill,
  version: values.version,
});

const duplicates = (texts: readonly string[], path: (at: number) => string): FieldErrors =>
  Object.fromEntries(
    texts.flatMap((text, at) => (text && texts.indexOf(text) < at ? [[path(at), 'Duplicate of an earlier row.']] : [])),
  );

/** Finds errors before saving. Duplicate codes would silently become one row, so they are errors too. */
export const checkSettings = ({
  name,
  classMap,
  observation,
  dispositions,
  locations,
  facilities,
}: SettingsValues): FieldErrors => ({
  ...(name.trim() ? {} : { name: FEED_TEXTS.name.required }),
  ...(facilities.length > 0 ? {} : { facilities: FEED_FACILITIES_REQUIRED }),
  ...Object.fromEntries([
    ...(classMap ?? []).flatMap((rule, at) =>
      named(rule.patientClass) || named(rule.hospitalService) || named(rule.patientType)
        ? []
        : [[`classMap.${at}`, 'Enter at least one code.']],
    ),
    ...observation.flatMap((row, at) => (codeOf(row.code) ? [] : [[`observation.${at}.code`, 'Enter the code.']])),
    ...(dispositions ?? []).flatMap((row, at) => [
      ...(codeOf(row.code) ? [] : [[`dispositions.${at}.code`, 'Enter the code.']]),
      ...(/^\d{2}$/.test(row.status.trim()) ? [] : [[`dispositions.${at}.status`, 'Enter two digits.']]),
    ]),
    ...locations.flatMap((row, at) => [
      ...(codeOf(row.code) ? [] : [[`locations.${at}.code`, 'Enter the code.']]),
      ...(row.unit.trim() ? [] : [[`locations.${at}.unit`, 'Enter the unit name.']]),
    ]),
    ...facilities.flatMap((row, at) => [
      ...(row.identifier.trim() ? [] : [[`facilities.${at}.identifier`, 'Enter the identifier.']]),
      ...(row.groupId ? [] : [[`facilities.${at}.groupId`, 'Choose a facility.']]),
    ]),
  ]),
  ...duplicates(
    observation.map(({ field, code }) => codeOf(code) && `${field} ${codeOf(code)}`),
    (at) => `observation.${at}.code`,
  ),
  ...duplicates(
    (dispositions ?? []).map((row) => codeOf(row.code)),
    (at) => `dispositions.${at}.code`,
  ),
  ...duplicates(
    locations.map((row) => codeOf(row.code)),
    (at) => `locations.${at}.code`,
  ),
  ...duplicates(
    facilities.map((row) => row.identifier.trim()),
    (at) => `facilities.${at}.identifier`,
  ),
});

/**
 * Returns the first error at these paths of the form. The server uses paths of the body ('settings.dispositionMap.HOME',
 * 'settings.locationMap.4W.unit', 'settings.classMap.2'), with or without the prefix 'settings.'.
 */
export const errorAt = (errors: FieldErrors, ...paths: string[]): string | undefined => {
  for (const path of paths) {
    const found = errors[path] ?? errors[`settings.${path}`];
    if (found) return found;
  }
  return undefined;
};
