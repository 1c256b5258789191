import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookieName } from '#server/people/access/session-user.ts';
import { CODE_STEP_LIFE } from '../second-factor/code-step.ts';

/** Holds the step between a right password and its code; sent to the sign-in calls only. */
const CODE_COOKIE = 'tidings_code';
const DEVICE_COOKIE = 'tidings_device';
/** In seconds: the longest that browsers keep a cookie. */
const DEVICE_LIFE = 400 * 24 * 60 * 60;

/** The cookies of an account: for this host only, hidden from scripts, and https-only if the public address is https. */
export function accountCookies(publicUrl: string) {
  const session = sessionCookieName(publicUrl);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
  const codeOptions = { ...options, path: '/api/authenticate' };
  return {
    read: ({ cookies }: FastifyRequest) => ({
      sessionToken: cookies[session],
      deviceToken: cookies[DEVICE_COOKIE],
      codeStepToken: cookies[CODE_COOKIE],
    }),
    setCodeStep(reply: FastifyReply, { codeStepToken }: { codeStepToken: string }): void {
      reply.setCookie(CODE_COOKIE, codeStepToken, { ...codeOptions, maxAge: CODE_STEP_LIFE / 1000 });
    },
    /**
     * `isFramed`: our page is in a frame of another site, an EHR. Over https browsers keep only partitioned cookies there, which work in frames
     * on that site only.
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
    clearCodeStep: (reply: FastifyReply): void => void reply.clearCookie(CODE_COOKIE, codeOptions),
    /** Keeps the device cookie, so that the device is still known at the next sign-in. */
    clearSession: (reply: FastifyReply): void => void reply.clearCookie(session, options),
  };
}
