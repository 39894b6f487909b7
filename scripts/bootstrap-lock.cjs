'use strict';

// Allows only one install at a time, using a lock file that the process with the lock keeps
// touching. If that process died, the next process takes over the lock after STALE_MS.

var fs = require('fs');

var TOUCH_MS = 1000;
var STALE_MS = 20000;
var POLL_MS = 250;
// Two processes that find the same stale lock may both replace it. The last replacement wins, and
// the other process notices when it checks again after this delay.
var SETTLE_MS = 150;

/** Resolves with the release function once this process has the lock. */
function takeLock(file, say) {
  var token = process.pid + ' ' + process.hrtime().join('.') + '\n';
  var saidWaiting = false;

  function attempt() {
    if (!create(file, token)) {
      if (isStale(file)) fs.rmSync(file, { force: true });
      else if (!saidWaiting) {
        saidWaiting = true;
        say('afterbell: waiting for another start to install the packages …');
      }
      return later(POLL_MS).then(attempt);
    }
    return later(SETTLE_MS).then(function () {
      return read(file) === token ? hold(file, token) : attempt();
    });
  }

  return attempt();
}

function hold(file, token) {
  var timer = setInterval(function () {
    touch(file);
  }, TOUCH_MS);
  function release() {
    clearInterval(timer);
    if (read(file) === token) fs.rmSync(file, { force: true });
  }
  process.once('exit', release);
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.once(signal, function () {
      process.exit(1);
    });
  });
  return release;
}

function create(file, token) {
  try {
    fs.writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}

function touch(file) {
  var now = new Date();
  try {
    fs.utimesSync(file, now, now);
  } catch {
    // Another process took over the lock while this process was suspended.
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function later(ms) {
  return new Promise(function (resolve) {
    setTimeout(resolve, ms);
  });
}

module.exports = { takeLock: takeLock };
