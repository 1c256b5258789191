import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookieName } from '#server/people/access/session-user.ts';
import { CHALLENGE_LIFE } from '../second-factor/code-step.ts';

/** Between a right password and the code; goes to the sign-in calls alone. */
const CODE_COOKIE = 'tidings_code';
const DEVICE_COOKIE = 'tidings_device';
/** In seconds; browsers keep no cookie longer. */
const DEVICE_LIFE = 400 * 24 * 60 * 60;

/** The cookies of an account: of this host alone, out of reach of scripts, and over https only where that is how we are reached. */
export function accountCookies(publicUrl: string) {
  const session = sessionCookieName(publicUrl);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
  const codeOptions = { ...options, path: '/api/authenticate' };
  return {
    read: ({ cookies }: FastifyRequest) => ({
      sessionToken: cookies[session],
      deviceToken: cookies[DEVICE_COOKIE],
      challengeToken: cookies[CODE_COOKIE],
    }),
    /** The password was right, a code is wanted. */
    setChallenge(reply: FastifyReply, { challengeToken }: { challengeToken: string }): void {
      reply.setCookie(CODE_COOKIE, challengeToken, { ...codeOptions, maxAge: CHALLENGE_LIFE / 1000 });
    },
    /**
     * `isFramed`: our page stands in a frame of another site (an EHR), where over https only partitioned cookies are kept; they hold for
     * frames in that site alone.
     */
    set(
      reply: FastifyReply,
      { sessionToken, deviceToken }: { sessionToken: string; deviceToken: string },
      { isFramed = false } = {},
    ): void {
      const inFrame = isFramed && options.secure ? ({ sameSite: 'none', partitioned: true } as const) : {};
      reply.setCookie(session, sessionToken, { ...options, ...inFrame });
      reply.setCookie(DEVICE_COOKIE, deviceToken, { ...options, ...inFrame, maxAge: DEVICE_LIFE });
    },
    clearChallenge: (reply: FastifyReply): void => void reply.clearCookie(CODE_COOKIE, codeOptions),
    /** The device stays known: whoever signs out here will be back. */
    clearSession: (reply: FastifyReply): void => void reply.clearCookie(session, options),
  };
}
