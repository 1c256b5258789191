import type { FastifyReply, FastifyRequest } from 'fastify';
import { newToken } from '#server/people/accounts/token-hash.ts';
import { CHALLENGE_LIFE } from './pending-sign-in.ts';

/**
 * The cookie that ties a sign-in elsewhere to the browser that began it, so that nobody is signed in by an answer that somebody else
 * fetched. It comes with a post from another site (SAML) and into a frame (EHR), hence SameSite=None where https allows it.
 */
export function browserCookie(publicUrl: string) {
  const isHttps = publicUrl.startsWith('https:');
  const name = isHttps ? '__Host-tidings_sso' : 'tidings_sso';
  const kept = { path: '/', httpOnly: true, maxAge: CHALLENGE_LIFE / 1000 } as const;
  const options = isHttps
    ? ({ ...kept, secure: true, sameSite: 'none', partitioned: true } as const)
    : ({ ...kept, sameSite: 'lax' } as const);
  const read = ({ cookies }: FastifyRequest): string | undefined => cookies[name] || undefined;
  return {
    read,
    /** One secret for all windows: a sign-in begun in a second one does not spoil the first. */
    keep(request: FastifyRequest, reply: FastifyReply): string {
      const browser = read(request) ?? newToken();
      reply.setCookie(name, browser, options);
      return browser;
    },
  };
}
