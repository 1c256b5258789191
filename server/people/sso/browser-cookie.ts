import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieName } from '#server/people/access/session-user.ts';
import { newToken } from '#server/people/accounts/token-hash.ts';
import { PENDING_LIFE } from './pending-sign-in.ts';

/**
 * The cookie that ties a single sign-on to the browser that began it, so that a stranger's answer signs no one in. It has to arrive with a post
 * from another site (SAML) and in a frame (EHR), hence SameSite=None over https.
 */
export function browserCookie(publicUrl: string) {
  const isHttps = publicUrl.startsWith('https:');
  const name = cookieName('tidings_sso', publicUrl);
  const kept = { path: '/', httpOnly: true, maxAge: PENDING_LIFE / 1000 } as const;
  const options = isHttps
    ? ({ ...kept, secure: true, sameSite: 'none', partitioned: true } as const)
    : ({ ...kept, sameSite: 'lax' } as const);
  const read = ({ cookies }: FastifyRequest): string | undefined => cookies[name] || undefined;
  return {
    read,
    /** Returns the browser's secret and renews its cookie. All windows share it, so that a second sign-in does not break the first. */
    keep(request: FastifyRequest, reply: FastifyReply): string {
      const browser = read(request) ?? newToken();
      reply.setCookie(name, browser, options);
      return browser;
    },
  };
}
