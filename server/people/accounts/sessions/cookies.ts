import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '#contract/constants.ts';
import { cookieName } from '#server/people/access/session-user.ts';
import { CODE_STEP_LIFE } from '../second-factor/code-step.ts';

/** Holds the step between a right password and its code. */
const CODE_COOKIE = 'tidings_code';
const DEVICE_COOKIE = 'tidings_device';
/** In seconds: the longest that browsers keep a cookie. */
const DEVICE_LIFE = 400 * 24 * 60 * 60;

/** The cookies of an account: for this host only, hidden from scripts, and https-only if the public address is https. */
export function accountCookies(publicUrl: string) {
  const [session, codeStep, device] = [SESSION_COOKIE, CODE_COOKIE, DEVICE_COOKIE].map((name) =>
    cookieName(name, publicUrl),
  ) as [string, string, string];
  // The prefix requires the path '/', also for the cookie of the code step.
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
  return {
    read: ({ cookies }: FastifyRequest) => ({
      sessionToken: cookies[session],
      deviceToken: cookies[device],
      codeStepToken: cookies[codeStep],
    }),
    setCodeStep(reply: FastifyReply, { codeStepToken }: { codeStepToken: string }): void {
      reply.setCookie(codeStep, codeStepToken, { ...options, maxAge: CODE_STEP_LIFE / 1000 });
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
      reply.setCookie(device, deviceToken, { ...options, ...inFrame, maxAge: DEVICE_LIFE });
    },
    clearCodeStep: (reply: FastifyReply): void => void reply.clearCookie(codeStep, options),
    /** Keeps the device cookie, so that the device is still known at the next sign-in. */
    clearSession: (reply: FastifyReply): void => void reply.clearCookie(session, options),
  };
}
