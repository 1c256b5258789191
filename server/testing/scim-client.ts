import { SCIM_TYPE } from '#contract/scim.ts';

/** What an identity provider gets. `body` is null without one. */
export interface ScimAnswer {
  status: number;
  type: string | null;
  location: string | null;
  body: unknown;
}

/** Returns an identity provider that calls us with a token. */
export function scimClient(app: { url: string }, token: string) {
  return {
    async call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<ScimAnswer> {
      const answer = await fetch(`${app.url}/api/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: SCIM_TYPE,
          ...(body === undefined ? {} : { 'content-type': SCIM_TYPE }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        type: answer.headers.get('content-type'),
        location: answer.headers.get('location'),
        body: text === '' ? null : (JSON.parse(text) as unknown),
      };
    },
  };
}
