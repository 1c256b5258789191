/**
 * A clinical document as one HTML page without scripts, links or pictures, made from our own model. Every text is escaped; no markup of the
 * document's reaches it. Served under a policy that forbids everything.
 */
import type {
  ClinicalDocument,
  CodedEntry,
  DocumentHeader,
  DocumentSection,
  NarrativeNode,
} from '#contract/clinical-documents.ts';
import {
  dateInWords,
  isDatedAhead,
  NARRATIVE_ELEMENTS,
  type PatientOfPage,
  periodInWords,
  subjectCaution,
  subjectInWords,
  uploadedInWords,
} from '#contract/document-words.ts';
import type { CcdEntry } from '#contract/documents.ts';

/** Nothing is loaded, run, framed or posted; the style sheet is the page's own, by its hash. */
export const PAGE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns text for an HTML page. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** Returns the page of a clinical document. */
export function htmlOf(document: ClinicalDocument, entry: CcdEntry, patient: PatientOfPage): string {
  const { header, sections } = document;
  const facts = [
    header.patient.sex ?? 'Sex not recorded',
    entry.encounterFacilityName,
    `Written ${header.writtenAt ? dateInWords(header.writtenAt) : 'not recorded'}`,
    ...(entry.writtenAt !== null && isDatedAhead(entry.writtenAt, entry.receivedAt)
      ? [`This date is later than when it came, ${dateInWords(entry.receivedAt.slice(0, 10))}`]
      : []),
    ...(entry.uploadedBy === null ? [] : [uploadedInWords(entry)]),
    `Author ${header.authors.flatMap((author) => author.name ?? author.organization ?? []).join(', ') || 'not recorded'}`,
  ];
  const notice = entry.isRestricted ? `<p><strong>${escapeHtml(RESTRICTED)}</strong></p>` : '';
  const body = sections.map(sectionHtml).join('\n') || '<p>The document has no sections.</p>';
  return page(
    header.title,
    `<h1>${escapeHtml(header.title)}</h1>
${subjectHtml(header.patient, patient)}<p>${facts.map(escapeHtml).join(' · ')}</p>${notice}
${body}`,
  );
}

/** Returns a page with a text as it was sent, or in place of sections of the document. */
export const htmlOfText = (
  { title, ...entry }: CcdEntry,
  text: string,
  document: ClinicalDocument | null,
  patient: PatientOfPage,
): string => {
  const subject = document === null ? '' : subjectHtml(document.header.patient, patient);
  const origin = entry.uploadedBy === null ? '' : `<p>${escapeHtml(uploadedInWords(entry))}</p>`;
  return page(title, `<h1>${escapeHtml(title)}</h1>${subject}${origin}${textHtml(text)}`);
};

/** Characters of a line that a page is wide enough for. */
const WIDE = 100;

/** A text as it was laid out, unless its lines would be cut off: without a style sheet, those of a `pre` don't wrap. */
function textHtml(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.every(({ length }) => length <= WIDE)) return `<pre>${escapeHtml(text)}</pre>`;
  return `<p>${lines.map(escapeHtml).join('<br>')}</p>`;
}

/** The person whom the document says it is about, with a caution if that isn't the patient. */
function subjectHtml(subject: DocumentHeader['patient'], patient: PatientOfPage): string {
  const caution = subjectCaution(subject, patient);
  const notice = caution === null ? '' : `<p><strong>${escapeHtml(caution)}</strong></p>`;
  return `${notice}<p>About <strong>${escapeHtml(subjectInWords(subject))}</strong></p>`;
}

const RESTRICTED =
  'This document is restricted. Federal rules (42 CFR Part 2) prohibit further disclosure unless the patient consents or the rules permit it.';

const page = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title></head>
<body>
${body}
</body></html>`;

function sectionHtml({ title, level, missing, narrative, entries }: DocumentSection): string {
  const rank = Math.min(level + 2, 6);
  const words = narrative.length > 0 ? `<div>${narrative.map(nodeHtml).join('')}</div>` : '';
  const coded = words === '' && entries.length > 0 ? `<ul>${entries.map(entryHtml).join('')}</ul>` : '';
  const none = missing ?? (words === '' && coded === '' ? 'Nothing in this section' : null);
  return `<h${rank}>${escapeHtml(title)}</h${rank}>${none === null ? '' : `<p>${escapeHtml(none)}</p>`}${words}${coded}`;
}

function entryHtml({
  name,
  missing,
  panel,
  value,
  interpretation,
  referenceRange,
  status,
  when,
  details,
}: CodedEntry): string {
  const words = [
    `${panel === null ? '' : `${panel}: `}${name ?? missing ?? 'Not recorded'}`,
    value ?? (name === null ? null : missing),
    interpretation,
    referenceRange && `range ${referenceRange}`,
    status,
    when && periodInWords(when),
    ...details.map(({ label, text }) => `${label}: ${text}`),
  ];
  return `<li>${escapeHtml(words.filter(Boolean).join(', '))}</li>`;
}

function nodeHtml(node: NarrativeNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  const inner = (node.children ?? []).map(nodeHtml).join('');
  switch (node.kind) {
    case 'break':
      return '<br>';
    case 'media':
      return `<em>[Picture, not shown here]</em>${inner}`;
    case 'footnoteRef':
      return `<sup>${node.number ?? ''}</sup>`;
    case 'footnote':
      return `<p><sup>${node.number ?? ''}</sup> ${inner}</p>`;
    default: {
      const tag = NARRATIVE_ELEMENTS[node.kind] ?? 'span';
      const spans = `${node.colSpan ? ` colspan="${node.colSpan}"` : ''}${node.rowSpan ? ` rowspan="${node.rowSpan}"` : ''}`;
      return `<${tag}${spans}>${inner}</${tag}>`;
    }
  }
}
