import type { Setting } from '#contract/event-codes.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { ClassRule, FeedSettings } from '#contract/feed-settings.ts';
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
/** What the form edits. A map that is null is the standard one; one that is not replaces it as a whole. */
export interface SettingsValues {
  name: string;
  /** MSH-3 and MSH-4; empty where left open. */
  sendingApplication: string;
  sendingFacility: string;
  timeZone: string;
  classMap: ClassRule[] | null;
  dispositions: DispositionRow[] | null;
  locations: LocationRow[];
  facilities: FeedSettingsAnswer['facilities'];
  isBackfill: boolean;
  /** Settings that this form does not show: they stay as they are. */
  others: Pick<Partial<FeedSettings>, 'recordNumber' | 'testProcessingIds'>;
  /** What was read. */
  version: string;
}

export const dispositionRows = (map: Record<string, string>): DispositionRow[] =>
  Object.entries(map).map(([code, status]) => ({ code, status }));

/** Of a new feed. `sender`: from whom messages wait, where it is set up for them. */
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

/** From what the server keeps: only what differs from the defaults. */
export const valuesOf = ({
  settings,
  facilities,
  isBackfill,
  version,
  ...feed
}: FeedSettingsAnswer): SettingsValues => {
  const { timeZone, classMap, dispositionMap, locationMap, ...others } = settings as Partial<FeedSettings>;
  return {
    name: feed.name,
    sendingApplication: feed.sendingApplication ?? '',
    sendingFacility: feed.sendingFacility ?? '',
    timeZone: timeZone ?? DEFAULT_FEED_SETTINGS.timeZone,
    classMap: classMap ?? null,
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

const code = (text: string): string => text.trim().toUpperCase();
const named = (text: string | undefined): string | undefined => (text ? code(text) || undefined : undefined);

/** For the server: what equals the defaults is left out, codes are in capitals. */
export const answerOf = (values: SettingsValues): FeedSettingsBody & { version: string } => ({
  name: values.name,
  sendingApplication: values.sendingApplication.trim() || null,
  sendingFacility: values.sendingFacility.trim() || null,
  settings: {
    ...values.others,
    ...(values.timeZone === DEFAULT_FEED_SETTINGS.timeZone ? {} : { timeZone: values.timeZone }),
    ...(values.classMap && {
      classMap: values.classMap.map(({ patientClass, hospitalService, patientType, setting }) => ({
        patientClass: named(patientClass),
        hospitalService: named(hospitalService),
        patientType: named(patientType),
        setting,
      })),
    }),
    ...(values.dispositions && {
      dispositionMap: Object.fromEntries(values.dispositions.map((row) => [code(row.code), row.status.trim()])),
    }),
    ...(values.locations.length > 0 && {
      locationMap: Object.fromEntries(
        values.locations.map((row) => [
          code(row.code),
          { unit: row.unit.trim(), ...(row.setting && { setting: row.setting }) },
        ]),
      ),
    }),
  },
  facilities: values.facilities.map((facility) => ({ ...facility, identifier: facility.identifier.trim() })),
  isBackfill: values.isBackfill,
  version: values.version,
});

const twice = (texts: readonly string[], path: (at: number) => string): FieldErrors =>
  Object.fromEntries(
    texts.flatMap((text, at) => (text && texts.indexOf(text) < at ? [[path(at), 'This stands here twice.']] : [])),
  );

/** What can be told before the server is asked, at the row concerned: in an object of codes, two alike would become one. */
export const checkSettings = ({
  name,
  classMap,
  dispositions,
  locations,
  facilities,
}: SettingsValues): FieldErrors => ({
  ...(name.trim() ? {} : { name: 'Enter the name.' }),
  ...(facilities.length > 0 ? {} : { facilities: 'Name at least one facility.' }),
  ...Object.fromEntries([
    ...(classMap ?? []).flatMap((rule, at) =>
      named(rule.patientClass) || named(rule.hospitalService) || named(rule.patientType)
        ? []
        : [[`classMap.${at}`, 'Name at least one code.']],
    ),
    ...(dispositions ?? []).flatMap((row, at) => [
      ...(code(row.code) ? [] : [[`dispositions.${at}.code`, 'Enter the code.']]),
      ...(/^\d{2}$/.test(row.status.trim()) ? [] : [[`dispositions.${at}.status`, 'Two digits.']]),
    ]),
    ...locations.flatMap((row, at) => [
      ...(code(row.code) ? [] : [[`locations.${at}.code`, 'Enter the code.']]),
      ...(row.unit.trim() ? [] : [[`locations.${at}.unit`, 'Enter the name.']]),
    ]),
    ...facilities.flatMap((row, at) => [
      ...(row.identifier.trim() ? [] : [[`facilities.${at}.identifier`, 'Enter the identifier.']]),
      ...(row.groupId ? [] : [[`facilities.${at}.groupId`, 'Choose the facility.']]),
    ]),
  ]),
  ...twice(
    (dispositions ?? []).map((row) => code(row.code)),
    (at) => `dispositions.${at}.code`,
  ),
  ...twice(
    locations.map((row) => code(row.code)),
    (at) => `locations.${at}.code`,
  ),
  ...twice(
    facilities.map((row) => row.identifier.trim()),
    (at) => `facilities.${at}.identifier`,
  ),
});

/**
 * The error at a path of the form. The server names paths of the body ('settings.dispositionMap.HOME', 'settings.locationMap.4W.unit',
 * 'settings.classMap.2'), with or without 'settings.' before them.
 */
export const errorAt = (errors: FieldErrors, ...paths: string[]): string | undefined => {
  for (const path of paths) {
    const found = errors[path] ?? errors[`settings.${path}`];
    if (found) return found;
  }
  return undefined;
};
export { code as codeOf };
