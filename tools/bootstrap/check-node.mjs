/**
 * Says in one line that Node is too old. An old Node has to be able to read this file and all that it imports: plain
 * syntax only, and the rest of a program comes through import().
 */
var oldestMajor = 20;
var oldestMinor = 19;

export function checkNode() {
  var have = process.versions.node.split('.').map(Number);
  var major = have[0] || 0;
  var minor = have[1] || 0;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  process.stderr.write(
    'Duework needs Node ' +
      oldestMajor +
      '.' +
      oldestMinor +
      ' or newer, and this is ' +
      process.version +
      '. Get it from https://nodejs.org, or with a version manager: nvm install 22\n',
  );
  process.exit(1);
}
