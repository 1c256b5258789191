import { z } from 'zod';
import { ccdEntry, ccdSummary, dischargeInfo, documentToken, documentUuid, newDocumentToken } from '../documents.ts';
import { message, newDocumentFeed } from '../feeds.ts';
import { id, patientId, teamOfDownload } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const byDocument = z.object({ id: patientId, uuid: documentUuid });
const oneOrMore = z.union([id.transform((one) => [one]), z.array(id).max(100)]);

export const documentsRoutes = {
  'GET /api/ccd/:id/ccds': {
    permission: 'canViewCcds',
    summary: "List a patient's documents that the team may read, newest first",
    audit: 'documents.list',
    params: byPatient,
    answer: z.array(ccdEntry),
  },
  'GET /api/ccd/ccd_summary': {
    permission: 'canViewCcds',
    summary: 'Open a document: what was read from it, section by section',
    audit: 'document.view',
    query: z.object({ uuid: documentUuid }),
    answer: ccdSummary,
  },
  'GET /api/patients/:id/documents/:uuid': {
    permission: 'canViewCcds',
    summary: 'Open a document of a patient, also in an emergency: the same as GET /api/ccd/ccd_summary',
    audit: 'document.view',
    params: byDocument,
    answer: ccdSummary,
  },
  'GET /api/patients/:id/documents/:uuid/file': {
    permission: 'canViewCcds',
    summary:
      'Download a document as it was sent (original), or the PDF or picture in it. `view` shows a PDF or picture in the browser, in a sandbox',
    audit: 'document.download',
    params: byDocument,
    query: z.object({ ...teamOfDownload, original: z.enum(['true']).optional(), view: z.enum(['true']).optional() }),
    kind: 'download',
  },
  'GET /api/ccd/:id/discharge-info': {
    permission: 'canViewCcdDischargeInfo',
    summary:
      "Which discharge documents visits of a patient have (encounterId, repeated). Needs canViewDischargeSummaries of the patient's group too",
    audit: 'discharge-info.view',
    params: byPatient,
    query: z.object({ encounterId: oneOrMore }),
    answer: z.array(dischargeInfo),
  },
  'GET /api/ccd/:id/discharge-summary': {
    permission: 'canViewDischargeSummaries',
    summary: "Get a discharge summary as HTML. Needs canViewCcdDischargeInfo of the patient's group too",
    audit: 'discharge-summary.view',
    params: byPatient,
    query: z.object({ uuid: documentUuid }),
    kind: 'html',
  },
  'GET /api/patients/:id/encounters/:encounterId/discharge-summary': {
    permission: 'canViewDischargeSummaries',
    summary: 'Get the current discharge summary of a visit as HTML, as the call by uuid does',
    audit: 'discharge-summary.view',
    params: z.object({ id: patientId, encounterId: id }),
    query: z.object(teamOfDownload),
    kind: 'download',
  },
  'POST /api/documents': {
    permission: 'public',
    summary:
      'Send a C-CDA document (the body, up to 16 MB) with the token of a document feed (Authorization: Bearer). Answers once it is stored; it is read afterwards',
    kind: 'raw',
    answer: message.pick({ id: true }).extend({ status: z.enum(['PENDING', 'DUPLICATE']) }),
    status: 202,
  },
  'GET /api/documents/:id': {
    permission: 'public',
    summary:
      'Get what became of a document, with the token of the feed that sent it: status, and the reason if it was not accepted',
    params: z.object({ id }),
    answer: message.pick({ id: true, status: true, reason: true }),
  },
  'POST /api/admin/document-feeds': {
    permission: 'canManageUsers',
    summary: 'Set up a feed of documents for a facility; its senders use tokens',
    body: newDocumentFeed,
    answer: z.object({ id }),
  },
  'GET /api/admin/feeds/:id/tokens': {
    permission: 'canManageUsers',
    summary: 'List the tokens of a document or FHIR feed',
    params: z.object({ id }),
    answer: z.array(documentToken),
  },
  'POST /api/admin/feeds/:id/tokens': {
    permission: 'canManageUsers',
    summary:
      'Issue a token for a document or FHIR feed, shown this once. `replaces`: a token that then works for 24 more hours',
    params: z.object({ id }),
    body: z.object({ replaces: id.optional() }),
    answer: newDocumentToken,
  },
  'DELETE /api/admin/feeds/:id/tokens/:tokenId': {
    permission: 'canManageUsers',
    summary: 'Revoke a token of a document or FHIR feed: it stops working at once',
    params: z.object({ id, tokenId: id }),
    status: 204,
  },
} as const satisfies RouteTable;
