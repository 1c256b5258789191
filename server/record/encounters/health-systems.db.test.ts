/**
 * Generated health systems: what the product says about each after its messages arrived in some order, cut in two parts, is what the
 * generator knows to be true. The generator shares no code with the product (server/testing/health-systems).
 * `TIDINGS_SYSTEMS=1000` runs more of them, `TIDINGS_SYSTEM=system-17` one.
 */
import { expect, test } from 'vitest';
import { makeRandom } from '#demo/world/random.ts';
import { arrivalOf } from '#server/testing/health-systems/arrival.ts';
import { differencesFrom, report } from '#server/testing/health-systems/differences.ts';
import { makeHealthSystem } from '#server/testing/health-systems/health-system.ts';
import { install } from '#server/testing/health-systems/stored.ts';
import { hospital } from '#server/testing/hospital.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { clock, database, hosp, make } = await pipelineScene();
const workers = [hosp, hospital(database, clock, make)];

/** Systems that are processed at the same time. */
const AT_ONCE = 10;

const chosen = process.env.TIDINGS_SYSTEM;
const count = Number(process.env.TIDINGS_SYSTEMS ?? 30);
const seeds = chosen ? chosen.split(',') : Array.from({ length: count }, (_, index) => `system-${index + 1}`);

async function drain(): Promise<void> {
  await Promise.all(workers.map(({ queue }) => queue.drain()));
  // What one worker left because the other was at it.
  await hosp.queue.drain();
}

/** Runs systems side by side. Returns a report of each in which something differs. */
async function failuresOf(names: readonly string[]): Promise<string[]> {
  const failures: string[] = [];
  const systems = [];
  for (const seed of names) {
    const generated = makeHealthSystem(seed);
    const arrival = arrivalOf(generated, makeRandom(`${seed} arrives`));
    systems.push({ arrival, ...(await install(database, make, hosp, generated)) });
  }
  for (const part of [0, 1] as const) {
    await Promise.all(systems.map(({ receive, arrival }) => receive(arrival.parts[part])));
    await drain();
    for (const { generated, arrival, found, notProcessed } of systems) {
      const truth = part === 0 ? arrival.truthBetween : (generated.truths.at(-1) ?? null);
      const lines = [...(truth ? differencesFrom(truth, await found()) : []), ...(await notProcessed())];
      const when = part === 0 ? 'after the first part' : 'in the end';
      if (lines.length > 0) failures.push(report(generated, when, lines));
    }
  }
  return failures;
}

test(
  `${seeds.length} generated health systems are what happened in them, in any order of arrival`,
  async () => {
    const failures: string[] = [];
    for (let from = 0; from < seeds.length; from += AT_ONCE) {
      failures.push(...(await failuresOf(seeds.slice(from, from + AT_ONCE))));
    }
    expect(failures.join('\n\n')).toBe('');
  },
  30_000 + seeds.length * 2_000,
);
