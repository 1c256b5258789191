/** Merges, and what is not acted on or waits in quarantine. */
import { expect, test } from 'vitest';
import { bundle, read, reasonOf } from '#server/testing/fhir-reading.ts';

test('a merge is read from Patient.link and from Linkage', () => {
  const old = { identifier: { system: 'urn:example:FGH', value: 'OLD' } };
  const merge = { recordNumber: 'MR-1', merge: { priorRecordNumber: 'OLD', priorRecordAuthority: 'urn:example:FGH' } };
  const link = read(bundle({ event: 'A40', patient: { link: [{ type: 'replaces', other: old }] } }));
  expect({ recordNumber: link.patient.recordNumber, merge: link.merge }).toMatchObject(merge);
  const linkage = {
    resourceType: 'Linkage',
    item: [
      { type: 'source', resource: { identifier: { system: 'urn:example:FGH', value: 'MR-1' } } },
      { type: 'historical', resource: old },
    ],
  };
  const linked = read(bundle({ event: 'A40', entries: [{ fullUrl: 'urn:uuid:l', resource: linkage }] }));
  expect({ recordNumber: linked.patient.recordNumber, merge: linked.merge }).toMatchObject(merge);
  expect(reasonOf(bundle({ event: 'A40' }))).toMatch(/^quarantine: Neither Patient\.link nor Linkage/);
});

test('what is no notification about a visit or a patient is not acted on', () => {
  expect(reasonOf(bundle({ event: 'A60' }))).toMatch(
    /^not-acted-on: MessageHeader\.event is A60, which updates allergies/,
  );
  expect(reasonOf(bundle({ event: 'A45' }))).toMatch(/^not-acted-on: .*FHIR has no element/);
  const answer = bundle();
  Object.assign(answer.entry[0]?.resource ?? {}, { response: { identifier: '1', code: 'ok' } });
  expect(reasonOf(answer)).toMatch(/^not-acted-on: MessageHeader\.response/);
  const trial = {
    ...bundle(),
    meta: { tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0103', code: 'T' }] },
  };
  expect(reasonOf(trial)).toMatch(/^not-acted-on: .*test message/);
  const report = bundle({
    event: 'diagnosticreport-provide',
    entries: [{ fullUrl: 'urn:uuid:d', resource: { resourceType: 'DiagnosticReport' } }],
  });
  Object.assign(report.entry[0]?.resource ?? {}, { focus: [{ reference: 'urn:uuid:d' }] });
  expect(reasonOf(report)).toMatch(/^not-acted-on: MessageHeader\.focus/);
});

test.each<[string, () => object | string, RegExp]>([
  ['no JSON', () => '{', /no valid JSON|not valid JSON/],
  ['another resource', () => ({ resourceType: 'Patient' }), /This is Patient/],
  ['a document', () => ({ ...bundle(), type: 'document' }), /Bundle\.type/],
  ['no header', () => ({ ...bundle(), entry: bundle().entry.slice(1) }), /no MessageHeader/],
  ['two headers', () => ({ ...bundle(), entry: [...bundle().entry, ...bundle().entry] }), /several MessageHeaders/],
  [
    'no patient',
    () => bundle({ encounter: { subject: { reference: 'Patient/elsewhere' } } }),
    /Encounter\.subject refers/,
  ],
  ['no record number', () => bundle({ patient: { identifier: [] } }), /Patient\.identifier is empty/],
  ['a placeholder for one', () => bundle({ record: 'UNKNOWN' }), /none that can be a record number/],
  [
    'no Encounter',
    () => ({
      ...bundle(),
      entry: bundle().entry.filter(
        ({ resource }) => (resource as { resourceType: string }).resourceType !== 'Encounter',
      ),
    }),
    /MessageHeader\.focus refers/,
  ],
  ['one fullUrl for two patients', () => twice(bundle()), /Several entries/],
  [
    'no time of a transfer',
    () => ({ ...bundle({ event: 'notification-transfer' }), timestamp: undefined }),
    /hold no time/,
  ],
  ['a value that is too long', () => bundle({ record: 'x'.repeat(251) }), /value has more than 250/],
  [
    'too many identifiers',
    () => bundle({ patient: { identifier: Array.from({ length: 101 }, (_, n) => ({ value: `${n}` })) } }),
    /identifier repeats more than 100/,
  ],
])('%s is quarantined with a reason that has nothing of the patient', (_, message, expected) => {
  const reason = reasonOf(message());
  expect(reason).toMatch(/^quarantine: /);
  expect(reason).toMatch(expected);
  expect(reason).not.toMatch(/Ostrander|Mirela/);
});

/** The patient's entry again, as someone else. */
function twice(message: ReturnType<typeof bundle>) {
  const entry = message.entry.find(({ resource }) => (resource as { resourceType: string }).resourceType === 'Patient');
  return { ...message, entry: [...message.entry, { ...entry, resource: { ...entry?.resource, id: 'other' } }] };
}
