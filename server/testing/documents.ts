/** Documents for tests, as facilities send them. All people are made up. */
import { randomUUID } from 'node:crypto';
import type { TestPerson } from './hospital.ts';

export interface CcdaParts {
  /** The record number; '' for none. */
  record: string;
  person: TestPerson;
  /** The id of the encompassing encounter. */
  visit?: string;
  /** YYYYMMDD */
  admitted?: string;
  /** YYYYMMDDHHMM */
  writtenAt?: string;
  /** LOINC */
  type?: string;
  title?: string;
  number?: string;
  /** The number of the document that it replaces. */
  replaces?: string;
  confidentiality?: 'N' | 'R' | 'V';
  medications?: readonly string[];
  /** Further sections, as XML. */
  sections?: string;
  /** In place of sections: base64 of a PDF. */
  pdf?: string;
}

/** Returns a C-CDA document. */
export function ccda(parts: CcdaParts): string {
  const { record, person, visit = '', type = '34133-9', number = randomUUID() } = parts;
  const encounter =
    visit || parts.admitted
      ? `<componentOf><encompassingEncounter>${visit ? `<id root="1.2.3.4" extension="${visit}"/>` : ''}
        <effectiveTime><low value="${parts.admitted ?? '202611200900'}"/></effectiveTime></encompassingEncounter></componentOf>`
      : '';
  const medications = (parts.medications ?? []).map(
    (name) => `<entry><substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="active"/>
      <consumable><manufacturedProduct><manufacturedMaterial><code code="1" codeSystem="2.16.840.1.113883.6.88" displayName="${name}"/></manufacturedMaterial></manufacturedProduct></consumable>
      </substanceAdministration></entry>`,
  );
  const body = parts.pdf
    ? `<nonXMLBody><text mediaType="application/pdf" representation="B64">${parts.pdf}</text></nonXMLBody>`
    : `<structuredBody>
        <component><section><code code="10160-0" codeSystem="2.16.840.1.113883.6.1"/><title>Medications</title>
          <text><list>${(parts.medications ?? []).map((name) => `<item>${name}</item>`).join('')}</list></text>${medications.join('')}</section></component>
        ${parts.sections ?? ''}</structuredBody>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <id root="1.2.3.9" extension="${number}"/><code code="${type}" codeSystem="2.16.840.1.113883.6.1"/>
  <title>${parts.title ?? 'Summary of care'}</title><effectiveTime value="${parts.writtenAt ?? '202611201200'}"/>
  <confidentialityCode code="${parts.confidentiality ?? 'N'}"/>
  <recordTarget><patientRole>${record ? `<id root="1.2.3.5" extension="${record}"/>` : '<id nullFlavor="UNK"/>'}
    <addr><streetAddressLine>12 Alder Lane</streetAddressLine><city>Fairhaven</city><state>NY</state><postalCode>${person.zip}</postalCode></addr>
    <patient><name use="L"><given>${person.given}</given><family>${person.family}</family></name>
      <administrativeGenderCode code="${person.sex}"/><birthTime value="${person.birthDate.replaceAll('-', '')}"/></patient></patientRole></recordTarget>
  <author><time value="202611201200"/><assignedAuthor><assignedPerson><name><given>Ines</given><family>Marchetti</family></name></assignedPerson></assignedAuthor></author>
  <custodian><assignedCustodian><representedCustodianOrganization><name>Mercy General</name></representedCustodianOrganization></assignedCustodian></custodian>
  ${parts.replaces ? `<relatedDocument typeCode="RPLC"><parentDocument><id root="1.2.3.9" extension="${parts.replaces}"/></parentDocument></relatedDocument>` : ''}
  ${encounter}
  <component>${body}</component>
</ClinicalDocument>`;
}

export interface MdmParts {
  facility: string;
  record: string;
  person: TestPerson;
  /** PV1-19 */
  visit?: string;
  /** TXA-12 */
  number?: string;
  /** TXA-13 */
  parent?: string;
  /** TXA-2 */
  type?: string;
  /** TXA-18 */
  confidentiality?: string;
  /** MSH-7, YYYYMMDDHHMM */
  sentAt?: string;
  content?: Buffer | string;
}

/** Returns an MDM message of the application TESTADT, with its content in OBX-5 (ED, base64). */
export function mdm(trigger: string, parts: MdmParts): string {
  const { facility, record, person, sentAt = '202611201230' } = parts;
  return [
    `MSH|^~\\&|TESTADT|${facility}|TIDINGS|TIDINGS|${sentAt}||MDM^${trigger}|${randomUUID().slice(0, 18)}|P|2.5.1`,
    `EVN|${trigger}|${sentAt}`,
    pidOf(facility, record, person),
    `PV1|1|I|3W^12^A^${facility}||||||||||||||||${parts.visit ?? ''}`,
    `TXA|1|${parts.type ?? 'DS^Discharge summary'}|TX|${sentAt}|||||1234^Marchetti^Ines|||${parts.number ?? ''}|${parts.parent ?? ''}|||||${parts.confidentiality ?? ''}`,
    ...(parts.content === undefined ? [] : [obx(parts.content)]),
    '',
  ].join('\r');
}

/** Returns an ORU^R01 message with a file in OBX-5. */
export function oru(parts: MdmParts & { content: Buffer | string }): string {
  const { facility, record, person, sentAt = '202611201230' } = parts;
  return [
    `MSH|^~\\&|TESTADT|${facility}|TIDINGS|TIDINGS|${sentAt}||ORU^R01|${randomUUID().slice(0, 18)}|P|2.5.1`,
    pidOf(facility, record, person),
    `PV1|1|I|3W^12^A^${facility}||||||||||||||||${parts.visit ?? ''}`,
    `OBR|1||${parts.number ?? 'F-1'}|11502-2^Laboratory report|||${sentAt}`,
    obx(parts.content),
    '',
  ].join('\r');
}

const pidOf = (facility: string, record: string, { family, given, birthDate, sex, zip }: TestPerson): string =>
  `PID|1||${record}^^^${facility}^MR||${family}^${given}||${birthDate.replaceAll('-', '')}|${sex}|||12 Alder Lane^^Fairhaven^NY^${zip}`;

const obx = (content: Buffer | string): string =>
  `OBX|1|ED|REPORT^Report||^application^octet-stream^Base64^${Buffer.from(content).toString('base64')}||||||F`;
