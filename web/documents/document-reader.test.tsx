import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClinicalDocument, CodedEntry, DocumentSection, NarrativePart } from '#contract/clinical-documents.ts';
import type { CcdEntry, CcdSummary } from '#contract/documents.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';
import { inReadingOrder, lackingSections, matchesIn } from './outline.ts';

/** Lists nothing. */
const TABLE_OF_HEADS: NarrativePart = {
  kind: 'table',
  children: [{ kind: 'head', children: [{ kind: 'row', children: [{ kind: 'headerCell', children: ['mg'] }] }] }],
};
const UUID = '0b9f6c1e-6c8e-4b0e-9f0c-1d2e3f4a5b6c';
const ENTRY: CcdEntry = {
  encounterId: '2',
  encounterFacilityName: 'Mercy General',
  encounterFacilityType: 'HOS',
  encounterStartDate: '2026-11-18T14:00:00Z',
  encounterEndDate: '2026-11-20T18:00:00Z',
  uuid: UUID,
  kind: 'CCDA',
  title: 'Summary of care',
  type: 'Continuity of Care Document',
  author: 'Ines Marchetti',
  writtenAt: '2026-11-20T13:05-05:00',
  receivedAt: '2026-11-20T18:10:00Z',
  size: 20_480,
  isDischargeSummary: false,
  isAddendum: false,
  isRestricted: false,
  problem: null,
  uploadedBy: null,
};
const coded = (over: Partial<CodedEntry>): CodedEntry => ({
  kind: 'allergy',
  name: null,
  code: null,
  isNegated: false,
  missing: null,
  status: null,
  when: null,
  value: null,
  interpretation: null,
  referenceRange: null,
  details: [],
  panel: null,
  ...over,
});
const section = (over: Partial<DocumentSection>): DocumentSection => ({
  number: 1,
  level: 0,
  code: null,
  title: 'Section',
  missing: null,
  narrative: [],
  entryCount: 0,
  entries: [],
  ...over,
});
const DOCUMENT: ClinicalDocument = {
  header: {
    id: null,
    title: 'Summary of care',
    typeCode: '34133-9',
    type: null,
    writtenAt: '2026-11-20T13:05-05:00',
    confidentiality: 'N',
    authors: [
      {
        name: 'Ines Marchetti',
        organization: null,
        at: null,
      },
    ],
    custodian: 'Mercy General',
    related: [],
    encounter: null,
    patient: {
      identifiers: [],
      name: null,
      birthDate: null,
      sex: null,
      address: null,
      phones: [],
    },
  },
  sections: [
    section({
      number: 1,
      code: '30954-2',
      title: 'Results',
      entryCount: 1,
      entries: [coded({ kind: 'result', name: 'Hemoglobin', value: '9.1 g/dL', interpretation: 'Low' })],
    }),
    section({
      number: 2,
      code: '48765-2',
      title: 'Allergies',
      narrative: [{ kind: 'paragraph', children: ['<b>Penicillin</b>: hives'] }],
      entryCount: 1,
      entries: [coded({ name: 'Penicillin', details: [{ label: 'Reaction', text: 'Hives' }] })],
    }),
    section({ number: 3, code: '11369-6', title: 'Immunizations', missing: 'No information' }),
  ],
  body: null,
};
const SUMMARY: CcdSummary = { entry: ENTRY, document: DOCUMENT, text: null, file: null, medicationChanges: null };
const READER = ['canViewPatients', 'canViewCcds', 'canViewCcdDischargeInfo', 'canViewDischargeSummaries'];

function open(page: string, { summary = SUMMARY, list = [ENTRY], permissions = READER } = {}) {
  serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/1_2': [200, patientWith()],
    'GET /api/ccd/1_2/ccds': [200, list],
    [`GET /api/patients/1_2/documents/${UUID}`]: [200, summary],
  });
  return openApp(`/dashboard/patients/1_2${page}`);
}

test('the list names each document with its type, its date and its visit', async () => {
  open('/attachments');
  const link = await screen.findByRole('link', { name: 'Summary of care' });
  expect(link.getAttribute('href')).toBe(`/dashboard/patients/1_2/attachments/${UUID}`);
  const row = link.closest('tr') as HTMLElement;
  expect(row.textContent).toContain('Continuity of Care Document');
  expect(row.textContent).toMatch(/11\/20\/2026 01:05 PM( ET)?/);
  expect(row.textContent).not.toContain('UTC-05:00');
});

test('the list says on a phone how many discharge summaries it leaves out', async () => {
  const ofWindow = window.matchMedia;
  onTestFinished(() => void vi.stubGlobal('matchMedia', ofWindow));
  vi.stubGlobal('matchMedia', (query: string) =>
    ofWindow.call(window, query.includes('max-width: 767.98px') ? 'all' : query),
  );
  const summary = { ...ENTRY, title: 'Discharge summary', isDischargeSummary: true };
  const numbered = [1, 2].map((at) => ({ ...summary, uuid: UUID.replace('0b9f6c1e', `0b9f6c1${at}`) }));
  open('/attachments', { list: [ENTRY, ...numbered.slice(0, 1)] });
  expect(await screen.findByText('1 discharge summary is not shown on a phone or in a narrow window.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Discharge summary' })).toBeNull();
  cleanup();
  open('/attachments', { list: [ENTRY, ...numbered] });
  expect(await screen.findByText('2 discharge summaries are not shown on a phone or in a narrow window.')).toBeTruthy();
});

test('a document reads with allergies first, what is coded apart from what is written, and what is missing said', async () => {
  open(`/attachments/${UUID}`);
  const article = await screen.findByRole('article', { name: 'Summary of care' });
  const headings = within(article)
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);
  expect(headings).toEqual(['Allergies', 'Results', 'Immunizations']);
  const allergies = within(article).getByRole('region', { name: 'Allergies' });
  expect(within(allergies).getByText('Coded by the author (1 entry)')).toBeTruthy();
  expect(within(allergies).getByText('<b>Penicillin</b>: hives')).toBeTruthy();
  expect(
    within(article).getByText(/Not in this document: Medications, Problems, Vital signs, Plan of treatment\./),
  ).toBeTruthy();
  expect(
    within(within(article).getByRole('region', { name: 'Immunizations' })).getByText('No information'),
  ).toBeTruthy();
  expect(within(article).getByRole('region', { name: 'Results' }).textContent).toContain('9.1 g/dL Low');
});

test('a document that took too long to read says so, and is offered as a download', async () => {
  const problem =
    'Reading this document took too long, so it was stopped and is not shown here. Download it to read it.';
  open(`/attachments/${UUID}`, { summary: { ...SUMMARY, entry: { ...ENTRY, problem }, document: null } });
  expect(await screen.findByText("This document can't be shown here.")).toBeTruthy();
  expect(screen.getByText(problem)).toBeTruthy();
  expect(screen.queryByText(/its text is shown/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Download as sent' })).toBeTruthy();
});

test('a search shows the sections that have the word, and marks it', async () => {
  open(`/attachments/${UUID}`);
  await userEvent.type(await screen.findByLabelText('Search this document'), 'hemo');
  expect(await screen.findByText('1 match in 1 section. 2 sections without a match hidden.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Allergies' })).toBeNull();
  expect(screen.getByText('Hemo').tagName).toBe('MARK');
});

test('a print-out is the whole document, whatever was searched for', async () => {
  const result = (at: number): CodedEntry => coded({ kind: 'result', name: `Test ${at}` });
  const many = section({
    number: 4,
    title: 'More results',
    entryCount: 400,
    entries: Array.from({ length: 400 }, (_, at) => result(at)),
  });
  const sections = [...DOCUMENT.sections, many];
  open(`/attachments/${UUID}`, { summary: { ...SUMMARY, document: { ...DOCUMENT, sections } } });
  await userEvent.type(await screen.findByLabelText('Search this document'), 'hemo');
  await screen.findByText(/^1 match in 1 section/);
  const names = () => within(screen.getByRole('article')).getAllByRole('heading', { level: 3 });
  expect(names()).toHaveLength(1);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(names()).toHaveLength(4);
  expect(screen.getByText(/^Not in this document: Medications/)).toBeTruthy();
  expect(screen.getByText('Test 399')).toBeTruthy();
  expect(document.querySelector('mark')).toBeNull();
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(names()).toHaveLength(1);
});

const about = (name: string, birthDate: string): CcdSummary => {
  const [family = '', given = ''] = name.split(', ');
  const patient = { ...DOCUMENT.header.patient, name: { family, given, middle: null, suffix: null }, birthDate };
  return { ...SUMMARY, document: { ...DOCUMENT, header: { ...DOCUMENT.header, patient } } };
};

test('what is counted is what is shown: rows of coded entries, and marks of a search', async () => {
  const result: Partial<CodedEntry> = { kind: 'result', status: 'mg', details: [{ label: 'Method', text: 'mg' }] };
  const results = section({
    title: 'Results, mg',
    entryCount: 1,
    entries: [
      coded({ ...result, name: 'Glucose', value: '90 mg/dL', referenceRange: '70–99 mg/dL', panel: 'mg panel' }),
      coded({ ...result, name: 'Iron m', value: 'g' }),
    ],
    narrative: [{ kind: 'paragraph', children: ['90 mg/dL', { kind: 'bold', children: ['m'] }, 'g'] }],
  });
  const emptyTable = section({ number: 2, title: 'Doses, mg', narrative: [TABLE_OF_HEADS] });
  open(`/attachments/${UUID}`, { summary: { ...SUMMARY, document: { ...DOCUMENT, sections: [results, emptyTable] } } });
  expect(await screen.findByText('Coded by the author (2 entries)')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Search this document'), 'mg');
  expect(await screen.findByText('8 matches in 2 sections')).toBeTruthy();
  expect(document.querySelectorAll('mark')).toHaveLength(8);
});

test('a document says whom it is about, and cautions if that isn’t the patient on the screen', async () => {
  open(`/attachments/${UUID}`, { summary: about('Holloway, Patricia', '2004-06-01') });
  expect(await screen.findByText('Holloway, Patricia, born 06/01/2004')).toBeTruthy();
  expect(screen.getByText(/^The name and birth date in this document differ from this patient's\./)).toBeTruthy();
});

test('a document about the patient on the screen says so without a caution', async () => {
  open(`/attachments/${UUID}`, { summary: about('OKONKWO REYES, Adaeze', '1941-03-14') });
  expect(await screen.findByText('OKONKWO REYES, Adaeze, born 03/14/1941')).toBeTruthy();
  expect(screen.queryByText(/in this document differ/)).toBeNull();
});

test('a medication list with nothing to compare it with says so', async () => {
  const none = { sinceUuid: null, sinceTitle: null, sinceWrittenAt: null, changes: [] };
  open(`/attachments/${UUID}`, { summary: { ...SUMMARY, medicationChanges: none } });
  const changes = await screen.findByRole('region', { name: 'What changed in the medication list' });
  expect(changes.textContent).toContain('No document from an earlier visit or day has a medication list');
  expect(changes.textContent).not.toMatch(/Compared with|No changes/);
});

test('an unreadable document shows its text and the reason', async () => {
  const problem = 'Line 59, column 4: A character is not allowed here.';
  open(`/attachments/${UUID}`, {
    summary: { ...SUMMARY, entry: { ...ENTRY, problem }, document: null, text: '<script>alert(1)</script>' },
  });
  expect(await screen.findByText(problem)).toBeTruthy();
  expect(screen.getByText('<script>alert(1)</script>').tagName).toBe('PRE');
});

test('without permission the page says so', async () => {
  open('/attachments', { permissions: ['canViewPatients', 'canViewCarePlans'] });
  expect(await screen.findByText("You don't have access to documents.")).toBeTruthy();
});

test('subsections stay with their section, and a document without sections lacks them all', () => {
  const outer = section({ number: 1, title: 'Outer' });
  const inner = section({ number: 2, level: 1, code: '48765-2', title: 'Inner' });
  const first = section({ number: 3, title: 'Other' });
  expect(inReadingOrder([first, outer, inner]).map(({ title }) => title)).toEqual(['Outer', 'Inner', 'Other']);
  expect(lackingSections({ ...DOCUMENT, sections: [] })).toHaveLength(6);
  expect(matchesIn(DOCUMENT.sections[1] as DocumentSection, 'HIVES')).toBe(2);
});

test('a vaccine, visit or result that isn’t done says so, and only a result can lack a value', async () => {
  const entries = [
    coded({ kind: 'immunization', name: 'Influenza', status: 'Intended' }),
    coded({ kind: 'immunization', name: 'Tetanus', status: 'Completed' }),
    coded({ kind: 'encounter', name: 'Office visit', status: 'Completed' }),
    coded({ kind: 'result', name: 'Urea', value: '12', status: 'Withdrawn' }),
    coded({ kind: 'result', name: 'Sodium', status: 'Completed' }),
    coded({ kind: 'other', name: 'Payment sources', status: 'Completed' }),
  ];
  const document = { ...DOCUMENT, sections: [section({ title: 'Coded', entryCount: 6, entries })] };
  open(`/attachments/${UUID}`, { summary: { ...SUMMARY, document } });
  const tables = await screen.findAllByRole('table');
  expect(tables.map((table) => [...table.querySelectorAll('th')].map(({ textContent }) => textContent))).toEqual([
    ['Vaccine', 'Status'],
    ['Visit'],
    ['Test', 'Result', 'Status'],
    ['Item', 'Value'],
  ]);
  expect(tables[0]?.textContent).toContain('InfluenzaIntended');
  expect(tables[0]?.textContent).not.toContain('Completed');
  expect(tables[2]?.textContent).toContain('Withdrawn');
  expect(tables[2]?.textContent).toContain('SodiumNot recorded');
  expect(tables[3]?.textContent).not.toContain('Not recorded');
});
