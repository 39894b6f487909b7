#!/usr/bin/env node
'use strict';
// Old JavaScript on purpose: it must still parse, and explain itself, on a Node too old for the
// rest. When a project-local Node that is new enough is at hand, it starts again on that one.
const childProcess = require('child_process');
const fs = require('fs');
const nodeModule = require('module');
const path = require('path');

const WANTED = '^24.19 || >=26';

function isNewEnough(version) {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  return (parts[0] === 24 && parts[1] >= 19) || parts[0] >= 26;
}

/** The `node` that an optional package put into a `node_modules/.bin` at or above this file. */
function findLocalNode() {
  let folder = __dirname;
  for (;;) {
    const candidate = path.join(folder, 'node_modules', '.bin', 'node');
    if (fs.existsSync(candidate) && isNewEnough(versionOf(candidate))) return candidate;
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function versionOf(node) {
  const result = childProcess.spawnSync(node, ['--version'], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : '0.0.0';
}

/**
 * Runs this file on another Node and becomes as good as it: same streams, same signals, same end.
 * The extra channel carries nothing; its closing tells the child that this process was killed.
 */
function startAgain(node) {
  const child = childProcess.spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { AFTERBELL_RELAUNCHED: '1' }),
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function refuse() {
  process.stderr.write(
    'afterbell needs Node ' +
      WANTED +
      '; this is ' +
      process.version +
      ' (' +
      process.execPath +
      ').\n' +
      'Mend: run "npm install" in the project, which brings a fitting Node on Linux, ' +
      'or install Node 24 from https://nodejs.org and try again.\n',
  );
  process.exit(1);
}

function fail(error) {
  process.stderr.write('afterbell could not start: ' + (error && error.message) + '\n');
  process.exit(1);
}

/** What was compiled once is kept beside the packages: later starts take half the processor time. */
const COMPILED = path.join(__dirname, '..', 'node_modules', '.cache', 'compiled');

if (isNewEnough(process.version)) {
  // Where the folder cannot be written, as in a read-only image, it is compiled anew.
  nodeModule.enableCompileCache(COMPILED);
  import('../src/cli/main.ts')
    .then(function (main) {
      return main.main();
    })
    .catch(fail);
} else {
  const node = findLocalNode();
  if (node === null) refuse();
  else startAgain(node);
}
