const same = (...names) => Object.fromEntries(names.map((name) => [name, name]));

/** What users install: the entries, and the files that are started as a thread or a process. */
export default {
  from: 'dist/entries',
  entries: same('index', 'isolated', 'schedules', 'testing', 'worker'),
  started: same('lease-thread', 'child/supervisor-main', 'child/thread-main'),
};
