import { z } from 'zod';
import {
  answerToLink,
  createdFacilityLink,
  facilityLinks,
  linkProof,
  newFacilityLink,
  openedLink,
} from '../facility-links.ts';
import { id, patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });

export const facilityLinksRoutes = {
  'GET /api/patients/:id/facility-links': {
    permission: 'canViewPings',
    summary: "List the team's links to the facility of a stay, newest first, with their answers",
    audit: 'facility-link.list',
    params: byPatient,
    answer: facilityLinks,
  },
  'POST /api/patients/:id/facility-links': {
    permission: 'canManagePings',
    summary:
      'Create a link by which someone at the facility of a stay answers without an account; mailed, or returned once',
    audit: 'facility-link.create',
    params: byPatient,
    body: newFacilityLink,
    answer: createdFacilityLink,
  },
  'DELETE /api/patients/:id/facility-links/:linkId': {
    permission: 'canManagePings',
    summary: 'Revoke a link, or take its answer back',
    audit: 'facility-link.revoke',
    params: byPatient.extend({ linkId: id }),
    answer: facilityLinks,
  },
  'POST /api/facility-links/open': {
    permission: 'public',
    summary: 'Show what a link asks, after the birth date of the patient',
    audit: 'facility-link.open',
    body: linkProof,
    answer: openedLink,
    tinyBody: true,
  },
  'POST /api/facility-links/answer': {
    permission: 'public',
    summary: 'Answer a link, once',
    audit: 'facility-link.answer',
    body: answerToLink,
    status: 204,
    tinyBody: true,
  },
  'POST /api/facility-links/upload': {
    permission: 'public',
    summary:
      'Answer a link with a file, once (multipart: field "upload" with JSON as in uploadToLink, then "file": C-CDA, PDF, RTF, PNG, JPEG or GIF, up to 16 MB)',
    audit: 'facility-link.upload',
    kind: 'multipart',
    status: 204,
  },
} as const satisfies RouteTable;
