/** A clinical document of any size, as hospitals send them after long stays: results of many days, with all text and codes. */
import { ccda } from './documents.ts';
import type { TestPerson } from './hospital.ts';

const TESTS = [
  ['2345-7', 'Glucose', 'mg/dL', 70, 99],
  ['2160-0', 'Creatinine', 'mg/dL', 0.6, 1.3],
  ['718-7', 'Hemoglobin', 'g/dL', 12, 16],
  ['2823-3', 'Potassium', 'mmol/L', 3.5, 5.1],
  ['2951-2', 'Sodium', 'mmol/L', 135, 145],
] as const;
const SOMEONE: TestPerson = { family: 'Vantongeren', given: 'Odalys', birthDate: '1948-02-17', sex: 'F', zip: '14604' };

/** Returns a document of at least so many bytes. Everyone in it is invented. */
export function largeDocument(
  bytes: number,
  person: TestPerson = SOMEONE,
  over: { record?: string; visit?: string } = {},
): Buffer {
  const sections: string[] = [];
  for (let length = 0, day = 1; length < bytes; day += 1) {
    const section = resultsOf(day);
    sections.push(section);
    length += section.length;
  }
  const document = ccda({
    record: over.record ?? 'LARGE',
    person,
    ...(over.visit && { visit: over.visit }),
    medications: Array.from({ length: 24 }, (_, at) => `Medication ${at + 1}`),
    sections: sections.join('\n'),
  });
  return Buffer.from(document);
}

function resultsOf(day: number): string {
  const measured = Array.from({ length: 40 }, (_, at) => {
    const [code, name, unit, low, high] = TESTS[(at + day) % TESTS.length] as (typeof TESTS)[number];
    const value = (low + ((at * 7 + day * 3) % 10) * ((high - low) / 8)).toFixed(1);
    return { id: `r${day}-${at}`, code, name, unit, low, high, value, isHigh: Number(value) > high };
  });
  const rows = measured.map(
    ({ id, name, value, unit, low, high, isHigh }) =>
      `<tr ID="${id}"><td>${name}</td><td>${value} ${unit}</td><td>${low} – ${high}</td><td>${isHigh ? '<content styleCode="Bold">High</content>' : ''}</td></tr>`,
  );
  const components = measured.map(
    ({ id, code, name, value, unit, low, high, isHigh }) =>
      `<component><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.2"/><id root="1.2.3.7" extension="${id}"/>
        <code code="${code}" codeSystem="2.16.840.1.113883.6.1" displayName="${name}"/><text><reference value="#${id}"/></text><statusCode code="completed"/>
        <effectiveTime value="202611${String(1 + (day % 28)).padStart(2, '0')}0600"/><value xsi:type="PQ" value="${value}" unit="${unit}"/>
        <interpretationCode code="${isHigh ? 'H' : 'N'}"/><referenceRange><observationRange><value xsi:type="IVL_PQ"><low value="${low}" unit="${unit}"/><high value="${high}" unit="${unit}"/></value></observationRange></referenceRange>
      </observation></component>`,
  );
  return `<component><section><code code="30954-2" codeSystem="2.16.840.1.113883.6.1"/><title>Results, day ${day}</title>
    <text><table><thead><tr><th>Test</th><th>Result</th><th>Range</th><th>Flag</th></tr></thead><tbody>${rows.join('')}</tbody></table></text>
    <entry><organizer classCode="CLUSTER" moodCode="EVN"><code code="24323-8" displayName="Metabolic panel"/><statusCode code="completed"/>${components.join('')}</organizer></entry></section></component>`;
}
