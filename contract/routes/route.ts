import { z } from 'zod';
import type { AuditedAction } from '../audited-actions.ts';
import type { RoutePermission } from '../permissions.ts';

/** One call of the API: who may make it, what it takes and what it returns. */
export interface Route {
  permission: RoutePermission;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body of a 200; absent for a stream, a download and a 204. */
  answer?: z.ZodType;
  /**
   * `stream` and `download` take the team in the query, because they cannot set a header. `multipart` reads a file. `form` is an HTML
   * form that the browser posts on behalf of another site (a SAML response): the only kind of change a foreign origin may make. `html`
   * answers a page instead of JSON. `raw` takes a body of any type, which its handler reads once it knows the sender. `scim` takes and
   * answers the media type of SCIM, also for errors; `fhir` takes a body as `raw` does, and answers that of FHIR.
   */
  kind?: 'stream' | 'download' | 'multipart' | 'form' | 'html' | 'raw' | 'scim' | 'fhir';
  status?: 200 | 201 | 202 | 204;
  /** Also open to a session that has to change its password first. No other route is. */
  withOldPassword?: true;
  /** The audit log has an entry under this name for every call, answered or refused. A test demands it where patients' data is concerned. */
  audit?: AuditedAction;
  /** Also open to a session that has to set up a second factor first. No other route is. */
  withoutFactor?: true;
  /** Changes how the account is opened: the caller must have proved their identity within the last five minutes. */
  fresh?: true;
  /** Takes a body of 4 MiB instead of 256 KiB. */
  largeBody?: true;
  /** Takes a body of 8 KiB. */
  tinyBody?: true;
  /** A field of the body that is null counts as not sent: clients of searches write all their parameters. */
  nullIsUnset?: true;
  /** A second path for the same call. */
  alias?: string;
}

/** Routes by method and path, e.g. 'GET /api/me'. */
export type RouteTable = Record<string, Route>;

export const pageQuery = {
  pageNumber: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
};

/** How many entries match on all pages, and how many pages there are. */
export const pageAnswer = { total: z.number().int(), numPages: z.number().int() };
