#!/usr/bin/env node
'use strict';
// Written in old JavaScript, so that a Node that is too old can still parse it and print an explanation.
// If the project has a new enough Node of its own, this file relaunches itself on that one.
const childProcess = require('child_process');
const fs = require('fs');
const nodeModule = require('module');
const path = require('path');

const REQUIRED = '^24.19 || >=26';

function isNewEnough(version) {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  return (parts[0] === 24 && parts[1] >= 19) || parts[0] >= 26;
}

/** Finds the `node` that an optional package installs into `node_modules/.bin`, here or in a parent folder. */
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
 * Runs this file on another Node, with the same streams, signals and exit code. The extra channel
 * carries no data: when it closes, the child knows that this process was killed.
 */
function relaunch(node) {
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

function rejectNode() {
  process.stderr.write(
    'afterbell needs Node ' +
      REQUIRED +
      '; this is ' +
      process.version +
      ' (' +
      process.execPath +
      ').\n' +
      'Fix: run "npm install" in the project, which installs a suitable Node on Linux, ' +
      'or install Node 24 from https://nodejs.org and try again.\n',
  );
  process.exit(1);
}

function fail(error) {
  process.stderr.write('afterbell could not start: ' + (error && error.message) + '\n');
  process.exit(1);
}

/** Cache of compiled code, which halves the processor time of later starts. */
const COMPILE_CACHE = path.join(__dirname, '..', 'node_modules', '.cache', 'compiled');

if (isNewEnough(process.version)) {
  // Has no effect if the folder is not writable, as in a read-only image.
  nodeModule.enableCompileCache(COMPILE_CACHE);
  import('../src/cli/main.ts')
    .then(function (main) {
      return main.main();
    })
    .catch(fail);
} else {
  const node = findLocalNode();
  if (node === null) rejectNode();
  else relaunch(node);
}
