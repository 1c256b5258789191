/** Settings that are more than a text, in words of the audit log. */
import { counted } from '#contract/counted.ts';
import { SETTING_LABELS } from '#contract/event-codes.ts';
import type { RecordSettings } from '#contract/record-settings.ts';
import type { RisingRiskRule } from '#contract/rising-risk-words.ts';
import { formatDate } from '../../ui/format/date.ts';

type Part = Record<string, unknown>;

const settingName = (setting: unknown): string =>
  SETTING_LABELS[setting as keyof typeof SETTING_LABELS] ?? String(setting);

const ruleWords = ({ visits, days, factor, multiVisits, multiMonths }: RisingRiskRule): string[] => [
  `at least ${counted(visits, 'visit', 'visits')} within ${days} days`,
  `${factor} times own average`,
  `multi-visit from ${counted(multiVisits, 'visit', 'visits')} in ${counted(multiMonths, 'month', 'months')}`,
];

const holidayWords = ({ added, removed }: RecordSettings['holidays']): string[] => [
  ...added.map((day) => `closed on ${formatDate(day)}`),
  ...removed.map((day) => `open on ${formatDate(day)}`),
];

/** Without the values of the fields: they may hold a key. */
const linkWords = ({ url, fields, states = [] }: { url: string; fields: unknown[]; states?: string[] }): string[] => [
  url,
  counted(fields.length, 'form field', 'form fields'),
  ...states,
];

const unitWords = ([code, { unit, setting }]: [string, Part]): string =>
  `${code}: ${String(unit)}${setting ? ` (${settingName(setting)})` : ''}`;

const PARTS: Record<string, (value: never) => string[]> = {
  risingRisk: ruleWords,
  holidays: holidayWords,
  pulse: linkWords,
  vynca: linkWords,
  'settings.classMap': (rules: Part[]) => rules.map(classWords),
  'settings.observationCodes': ({ patientTypes, hospitalServices }: Record<string, string[]>) => [
    ...(patientTypes ?? []).map((code) => `patient type ${code}`),
    ...(hospitalServices ?? []).map((code) => `hospital service ${code}`),
  ],
  'settings.dispositionMap': (map: Record<string, string>) => Object.entries(map).map(([code, to]) => `${code}: ${to}`),
  'settings.locationMap': (map: Record<string, Part>) => Object.entries(map).map(unitWords),
  'settings.recordNumber': ({ authority, types }: { authority: string | null; types: string[] }) => [
    authority === null ? 'any authority' : `authority ${authority}`,
    ...types.map((type) => `type ${type}`),
  ],
};

function classWords({ setting, ...conditions }: Part): string {
  const of = Object.values(conditions).filter((value) => typeof value === 'string' && value !== '');
  return `${of.join(' ')}: ${settingName(setting)}`;
}

/** 'recordNumber' → 'record number' */
const nameWords = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Any other value, so that no brackets and quotes are shown of a setting that has no words yet. */
function anyWords(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(anyWords);
  if (value === null) return ['none'];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (typeof value !== 'object') return [typeof value === 'string' ? value : JSON.stringify(value)];
  return Object.entries(value).map(([key, of]) => `${nameWords(key)} ${anyWords(of).join(', ')}`);
}

/** Returns the parts of a value that is no text, in words. */
export const settingParts = (field: string, value: object): string[] => (PARTS[field] ?? anyWords)(value as never);
