/** Writes C-CDA R2.1 documents as the region's hospitals send them, from a chart. It shares nothing with the product's reader. */
import type { Chart, Medication, Result } from './chart.ts';
import { hl7Time, localDate, type Zone } from './clock.ts';
import type { Registration } from './registration.ts';
import type { VisitState } from './visit.ts';

export interface DocumentFacts {
  kind: 'summary' | 'discharge';
  /** Unique for the sender. */
  number: string;
  facility: string;
  zone: Zone;
  writtenAt: number;
  isRestricted: boolean;
  state: VisitState;
  patient: Registration;
  chart: Chart;
}

const LOINC = '2.16.840.1.113883.6.1';
const ROOT = '2.16.840.1.113883.19.5';
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
const attributes = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(value)}"`)
    .join('');
const tag = (name: string, values: Record<string, string>, inner = ''): string =>
  inner === '' ? `<${name}${attributes(values)}/>` : `<${name}${attributes(values)}>${inner}</${name}>`;
const all = (parts: readonly string[]): string => parts.join('');

/** Returns the document. */
export function writeClinicalDocument(facts: DocumentFacts): Buffer {
  const { kind, chart } = facts;
  const sections = [
    allergies(chart),
    medications(facts),
    problems(facts),
    ...(kind === 'discharge' ? [text('8648-8', 'Hospital Course', `<paragraph>${xml(chart.course)}</paragraph>`)] : []),
    results(facts, '30954-2', 'Results', chart.results),
    results(facts, '8716-3', 'Vital Signs', chart.vitals),
    ...(kind === 'discharge' ? [instructions(chart)] : []),
    ...(kind === 'summary'
      ? [
          '<component><section nullFlavor="NI"><code code="11369-6" codeSystem="2.16.840.1.113883.6.1"/><title>Immunizations</title><text>No information</text></section></component>',
        ]
      : []),
  ];
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:sdtc="urn:hl7-org:sdtc">
<realmCode code="US"/><typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/><templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>
${header(facts)}
<component><structuredBody>
${sections.join('\n')}
</structuredBody></component>
</ClinicalDocument>
`);
}

function header({
  kind,
  number,
  facility,
  zone,
  writtenAt,
  isRestricted,
  state,
  patient,
  chart,
}: DocumentFacts): string {
  const time = (instant: number) => hl7Time(instant, zone, { seconds: false, offset: true });
  const [code, title] = kind === 'discharge' ? ['18842-5', 'Discharge Summary'] : ['34133-9', 'Summary of Care'];
  const { address } = patient;
  const [given = '', ...family] = chart.author.split(' ');
  const organization = tag('name', {}, xml(facility));
  return all([
    tag('id', { root: ROOT, extension: number }),
    tag('code', { code, codeSystem: LOINC }),
    tag('title', {}, `${xml(facility)}: ${title}`),
    tag('effectiveTime', { value: time(writtenAt) }),
    tag('confidentialityCode', { code: isRestricted ? 'R' : 'N', codeSystem: '2.16.840.1.113883.5.25' }),
    '<languageCode code="en-US"/>',
    `<recordTarget><patientRole>${tag('id', { root: `${ROOT}.1`, extension: state.recordNumber })}`,
    address
      ? `<addr use="HP"><streetAddressLine>${xml(address.line1)}</streetAddressLine><city>${xml(address.city)}</city><state>${address.state}</state><postalCode>${address.zip}</postalCode></addr>`
      : '<addr nullFlavor="UNK"/>',
    patient.phone
      ? tag('telecom', { value: `tel:${patient.phone.replace(/[^\d]/g, '-').replace(/^-/, '')}`, use: 'HP' })
      : '',
    `<patient><name use="L"><given>${xml(patient.given)}</given>${patient.middle ? `<given>${xml(patient.middle)}</given>` : ''}<family>${xml(patient.family)}</family></name>`,
    patient.sex
      ? tag('administrativeGenderCode', { code: patient.sex.slice(0, 1), codeSystem: '2.16.840.1.113883.5.1' })
      : '',
    patient.birthDate
      ? tag('birthTime', { value: patient.birthDate.replaceAll('-', '') })
      : '<birthTime nullFlavor="UNK"/>',
    '</patient></patientRole></recordTarget>',
    `<author>${tag('time', { value: time(writtenAt) })}<assignedAuthor>${tag('id', { root: `${ROOT}.4`, extension: String(state.attending) })}<assignedPerson><name><given>${xml(given)}</given><family>${xml(family.join(' '))}</family></name></assignedPerson><representedOrganization>${organization}</representedOrganization></assignedAuthor></author>`,
    `<custodian><assignedCustodian><representedCustodianOrganization>${tag('id', { root: ROOT })}${organization}</representedCustodianOrganization></assignedCustodian></custodian>`,
    `<componentOf><encompassingEncounter>${tag('id', { root: `${ROOT}.9`, extension: state.visitNumber })}<effectiveTime>${tag('low', { value: time(state.admittedAt) })}${state.dischargedAt === null ? '' : tag('high', { value: time(state.dischargedAt) })}</effectiveTime></encompassingEncounter></componentOf>`,
  ]);
}

const section = (code: string, title: string, narrative: string, entries: string): string =>
  `<component><section>${tag('code', { code, codeSystem: LOINC })}<title>${xml(title)}</title><text>${narrative}</text>${entries}</section></component>`;
const text = (code: string, title: string, narrative: string): string => section(code, title, narrative, '');

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${all(heads.map((head) => `<th>${xml(head)}</th>`))}</tr></thead><tbody>${all(
    rows.map((row) => `<tr>${all(row.map((cell) => `<td>${xml(cell)}</td>`))}</tr>`),
  )}</tbody></table>`;

function allergies({ allergies: known }: Chart): string {
  const observation = (inner: string, negated = false) =>
    `<entry><act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"${negated ? ' negationInd="true"' : ''}><statusCode code="completed"/><effectiveTime><low nullFlavor="UNK"/></effectiveTime><value xsi:type="CD" code="419199007" displayName="Allergy to substance" codeSystem="2.16.840.1.113883.6.96"/>${inner}</observation></entryRelationship></act></entry>`;
  const substance = (code: string) =>
    `<participant typeCode="CSM"><participantRole classCode="MANU"><playingEntity classCode="MMAT">${code}</playingEntity></participantRole></participant>`;
  if (known.length === 0)
    return section(
      '48765-2',
      'Allergies',
      'No known allergies',
      observation(substance('<code nullFlavor="NA"/>'), true),
    );
  const entries = known.map(({ name, code, reaction, severity }) =>
    observation(
      `${substance(tag('code', { code, displayName: name, codeSystem: '2.16.840.1.113883.6.88' }))}<entryRelationship typeCode="MFST" inversionInd="true"><observation classCode="OBS" moodCode="EVN"><value xsi:type="CD" displayName="${xml(reaction)}"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><code code="SEV"/><value xsi:type="CD" displayName="${xml(severity)}"/></observation></entryRelationship></observation></entryRelationship>`,
    ),
  );
  const rows = known.map(({ name, reaction, severity }) => [name, reaction, severity]);
  return section('48765-2', 'Allergies', table(['Allergy', 'Reaction', 'Severity'], rows), all(entries));
}

function medications({ kind, chart, writtenAt, zone }: DocumentFacts): string {
  const day = localDate(writtenAt, zone).replaceAll('-', '');
  const entry = ({ name, code, dose, unit, route, every }: Medication) =>
    `<entry><substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="active"/><effectiveTime xsi:type="IVL_TS">${tag('low', { value: day })}</effectiveTime><effectiveTime xsi:type="PIVL_TS" operator="A">${tag('period', { value: String(every), unit: 'h' })}</effectiveTime>${tag('routeCode', { displayName: route })}${tag('doseQuantity', { value: dose, unit })}<consumable><manufacturedProduct classCode="MANU"><manufacturedMaterial>${tag('code', { code, displayName: name, codeSystem: '2.16.840.1.113883.6.88' })}</manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration></entry>`;
  const rows = chart.medications.map(({ name, dose, unit, route, every }) => [
    name,
    `${dose} ${unit}`,
    route,
    `Every ${every} hours`,
  ]);
  const stopped =
    chart.stopped.length > 0
      ? `<paragraph><content styleCode="Bold">Stopped:</content> ${xml(chart.stopped.map(({ name }) => name).join(', '))}</paragraph>`
      : '';
  const [code, title] = kind === 'discharge' ? ['10183-2', 'Discharge Medications'] : ['10160-0', 'Medications'];
  return section(
    code,
    title,
    `${table(['Medication', 'Dose', 'Route', 'How often'], rows)}${stopped}`,
    all(chart.medications.map(entry)),
  );
}

function problems({ chart, writtenAt, zone }: DocumentFacts): string {
  const year = Number(localDate(writtenAt, zone).slice(0, 4));
  const rows = chart.problems.map(({ name, code, since }) => [name, code, String(year - since)]);
  const entries = chart.problems.map(
    ({ name, code, since }) =>
      `<entry><act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><statusCode code="completed"/><effectiveTime>${tag('low', { value: String(year - since) })}</effectiveTime><value xsi:type="CD" ${attributes({ code, displayName: name, codeSystem: '2.16.840.1.113883.6.90' }).trim()}/></observation></entryRelationship></act></entry>`,
  );
  return section('11450-4', 'Problems', table(['Problem', 'Code', 'Since'], rows), all(entries));
}

function results({ writtenAt, zone }: DocumentFacts, code: string, title: string, measured: readonly Result[]): string {
  const at = hl7Time(writtenAt, zone, { seconds: false, offset: true });
  const components = measured.map(
    ({ name, code: test, value, unit, low, high, flag }) =>
      `<component><observation classCode="OBS" moodCode="EVN">${tag('code', { code: test, displayName: name, codeSystem: LOINC })}<statusCode code="completed"/>${tag('effectiveTime', { value: at })}<value xsi:type="PQ" value="${value}" unit="${xml(unit)}"/>${tag('interpretationCode', { code: flag })}${code === '30954-2' ? `<referenceRange><observationRange><value xsi:type="IVL_PQ"><low value="${low}" unit="${xml(unit)}"/><high value="${high}" unit="${xml(unit)}"/></value></observationRange></referenceRange>` : ''}</observation></component>`,
  );
  const rows = measured.map(({ name, value, unit, flag }) => [name, `${value} ${unit}`, flag === 'N' ? '' : flag]);
  const organizer = `<entry><organizer classCode="CLUSTER" moodCode="EVN">${tag('code', { code: code === '30954-2' ? '24323-8' : '46680005', displayName: code === '30954-2' ? 'Laboratory panel' : 'Vital signs' })}<statusCode code="completed"/>${all(components)}</organizer></entry>`;
  return section(code, title, table(['Name', 'Value', 'Flag'], rows), organizer);
}

const instructions = ({ instructions: steps }: Chart): string =>
  text(
    '8653-8',
    'Hospital Discharge Instructions',
    `<list listType="ordered">${all(steps.map((step) => `<item>${xml(step)}</item>`))}</list>`,
  );
