import type pg from 'pg';
import type { Page } from 'playwright-core';
import type { Operator } from '../../kit/create-operator.js';
import type { Provider } from '../../kit/start-provider.js';
import type { Service } from '../../kit/start-service.js';

/** A post of an alert, as a pager gets it. */
export interface Post {
  readonly key: string;
  readonly status: string;
  readonly text: string;
}

/** The shop, as it is deployed, and its mail provider. */
export interface Scene {
  /** Of the API. */
  readonly url: string;
  readonly databaseUrl: string;
  /** What the person on call has. */
  readonly key: string;
  /** May do everything. */
  readonly shop: Operator;
  readonly mail: Provider;
  readonly db: pg.Pool;
  /** The workers that were started, by name. */
  readonly workers: ReadonlyMap<string, Service>;
  /** What was posted of alerts, the oldest first. */
  readonly posts: readonly Post[];
  /** Starts the shop's worker, or with `main` another program, and resolves when it is registered. */
  startWorker(name: string, options?: { readonly slots?: number; readonly main?: string }): Promise<Service>;
  /** Looks for alerts now, as an API does once a minute. */
  lookForAlerts(): Promise<void>;
  close(): Promise<void>;
}

/** Whoever is on call: types commands, and asks others for what only they can do. */
export interface OnCall {
  readonly scene: Scene;
  /**
   * Types a command, again until it shows this. @throws Error where it does not within two minutes, with what it shows
   */
  see(command: string, sentence: RegExp): Promise<RegExpExecArray>;
  /** Types a command once. @throws Error where it does not show this */
  run(command: string, sentence: RegExp): Promise<RegExpExecArray>;
  /** Has others do their part. */
  others(): Promise<void>;
}

/** Whoever is on call with a mouse. */
export interface Hand {
  readonly scene: Scene;
  readonly page: Page;
  /** Clicks a button, a link or a choice by its name, as soon as there is one; in the dialog, if one is open. */
  press(what: string | RegExp): Promise<void>;
  /** Goes back to the screen before. */
  back(): Promise<void>;
  /** Types a filter into the search of a screen. */
  search(filter: string): Promise<void>;
  /** Types a text that is asked for. */
  write(label: string | RegExp, text: string): Promise<void>;
  /** Waits until the screen shows this. */
  see(sentence: string | RegExp): Promise<void>;
  /** Has others do their part. */
  others(): Promise<void>;
}

export interface Incident {
  /** The trouble in a line, as somebody calls and says it. */
  readonly wrong: string;
  /** Where the docs help, below docs/how-to. */
  readonly page: string;
  begin(scene: Scene): Promise<void>;
  /** What only others can mend: a provider, a deploy, a machine. */
  readonly others?: { readonly do: string; readonly run: (scene: Scene) => Promise<unknown> };
  /** Finds it, mends it and proves it, as the docs say. */
  play(onCall: OnCall): Promise<void>;
  /** The same in the console; a sentence: it cannot, and why. */
  readonly click: ((hand: Hand) => Promise<void>) | string;
  /** What is not over yet, a sentence each. */
  judge(scene: Scene): Promise<readonly string[]>;
}
